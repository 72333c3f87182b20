import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { messages as t } from './messages';
import { type Intent, usePerson } from './person';
import { PhoneMessageView } from './phone-message';
import { screenQuery } from './queries';

/** The messages of the chat, and the typing indicator of the company. */
export function PhoneChatLog({ onIntend }: { readonly onIntend: (intent: Intent) => void }) {
  const { simulator, chat } = usePerson();
  const { data } = useQuery(screenQuery(simulator.platform, chat.id));
  const log = useRef<HTMLDivElement>(null);
  const messages = data?.messages ?? [];
  const isTyping = data?.typing === true;
  const newest = messages.at(-1)?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: it follows what is new.
  useEffect(() => {
    log.current?.scrollTo({ top: log.current.scrollHeight });
  }, [newest, isTyping]);
  return (
    <div
      ref={log}
      role="log"
      aria-label={t('messagesOf', { name: simulator.name })}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keyboard.
      tabIndex={0}
      className="flex min-h-0 grow flex-col gap-1.5 overflow-y-auto bg-[radial-gradient(var(--phone-dots)_1.5px,transparent_1.5px)] bg-[length:14px_14px] px-2.5 py-3 text-(--phone-text) text-sm outline-offset-[-3px]"
    >
      {data !== undefined && messages.length === 0 && <Empty />}
      {messages.map((message) => (
        <PhoneMessageView
          key={message.id}
          message={message}
          replied={messages.find(({ id }) => id === message.reply_to_id)}
          onIntend={onIntend}
        />
      ))}
      {isTyping && <Typing />}
    </div>
  );
}

function Empty() {
  return (
    <p className="m-auto max-w-48 rounded-lg bg-(--phone-field) px-3 py-2 text-center text-(--phone-muted)">
      {t('empty')}
    </p>
  );
}

function Typing() {
  return (
    <p className="flex w-fit items-center gap-2 rounded-full bg-(--phone-field) px-3 py-1.5 text-(--phone-muted) text-xs">
      <span aria-hidden className="flex gap-1">
        {['first', 'second', 'third'].map((dot) => (
          <span key={dot} className="size-1.5 animate-pulse rounded-full bg-(--phone-muted)" />
        ))}
      </span>
      {t('typing')}
    </p>
  );
}
