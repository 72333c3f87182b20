import { useState } from 'react';
import type { Simulator } from '../../api/simulator-paths';
import { Status, type Tone } from '../../kit/badge';
import { PhoneFrame } from '../../kit/phone-frame';
import { lookOf } from '../../kit/phone-looks';
import { Select } from '../../kit/select';
import { messages as t } from './messages';
import { type Intent, PersonContext } from './person';
import { PhoneBar } from './phone-bar';
import { PhoneChatLog } from './phone-chat-log';
import { PhoneComposer } from './phone-composer';

/** The people in group chats. */
const PEOPLE = { Ada: 'Ada', Grace: 'Grace', Katherine: 'Katherine' } as const;
type Name = keyof typeof PEOPLE;

const TONES: Readonly<Record<Simulator['status'], Tone>> = {
  connected: 'success',
  connecting: 'info',
  degraded: 'warning',
  error: 'danger',
  disabled: 'neutral',
};

export function Phone({ simulator }: { readonly simulator: Simulator }) {
  const { platform, name, chats } = simulator;
  const first = chats.findLast(({ kind }) => kind === 'direct') ?? chats[0];
  const [chatId, setChatId] = useState(first?.id ?? '');
  const [person, setPerson] = useState<Name>('Ada');
  const [intent, setIntent] = useState<Intent>();
  const chat = chats.find(({ id }) => id === chatId) ?? first;
  if (chat === undefined) return null;
  const isGroup = chat.kind === 'group';
  const choose = (id: string) => {
    setChatId(id);
    setIntent(undefined);
  };
  return (
    <PersonContext value={{ simulator, chat, name: isGroup ? person : chat.title }}>
      <section
        aria-label={name}
        className="flex w-72 shrink-0 snap-center flex-col gap-2 lg:w-auto lg:min-w-64 lg:flex-1"
      >
        <Heading simulator={simulator} />
        <div className="flex gap-2">
          <Select
            label={t('chat', { name })}
            value={chat.id}
            onChange={choose}
            options={Object.fromEntries(chats.map(({ id, title }) => [id, title]))}
          />
          {isGroup && (
            <Select label={t('person', { name })} value={person} onChange={setPerson} options={PEOPLE} />
          )}
        </div>
        <PhoneFrame platform={platform} className="h-[34rem]">
          <PhoneBar />
          <PhoneChatLog key={chat.id} onIntend={setIntent} />
          <PhoneComposer
            key={`${chat.id} ${intent?.kind} ${intent?.message.id}`}
            intent={intent}
            onDone={() => setIntent(undefined)}
          />
        </PhoneFrame>
      </section>
    </PersonContext>
  );
}

function Heading({ simulator: { platform, name, status } }: { readonly simulator: Simulator }) {
  const Icon = lookOf(platform).icon;
  return (
    <div className="flex items-center justify-between gap-2">
      <h2 className="flex items-center gap-1.5 font-semibold">
        <Icon aria-hidden className="size-4 text-muted" />
        {name}
      </h2>
      <Status tone={TONES[status]}>{t(status)}</Status>
    </div>
  );
}
