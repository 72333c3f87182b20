import { AlertTriangle, Check, CheckCheck, Clock } from 'lucide-react';
import type { PhoneMessage } from '../../api/simulator-paths';
import { clockTime } from '../../i18n/time';
import { Avatar } from '../../kit/avatar';
import { lookOf } from '../../kit/phone-looks';
import { messages as t } from './messages';
import { type Intent, usePerson } from './person';
import { PhoneContent } from './phone-content';
import { PhoneMessageMenu } from './phone-message-menu';

interface Props {
  readonly message: PhoneMessage;
  /** The message that this one replies to. */
  readonly replied: PhoneMessage | undefined;
  readonly onIntend: (intent: Intent) => void;
}

export function PhoneMessageView(props: Props) {
  const { simulator } = usePerson();
  return lookOf(simulator.platform).layout === 'rows' ? <Row {...props} /> : <Bubble {...props} />;
}

/** Whether the owner of the phone wrote it. */
function useIsMine({ own, sender }: PhoneMessage): boolean {
  const { chat, name } = usePerson();
  return !own && (chat.kind === 'direct' || sender === name);
}

function Bubble({ message, replied, onIntend }: Props) {
  const { simulator, chat } = usePerson();
  const isMine = useIsMine(message);
  const look = isMine
    ? 'rounded-br-sm bg-(--phone-mine) text-(--phone-mine-text) [--phone-link:currentColor] [--phone-muted:var(--phone-mine-muted)]'
    : 'rounded-bl-sm bg-(--phone-theirs)';
  return (
    <article
      aria-label={t('messageOf', { name: message.sender })}
      className={`group flex max-w-full items-center gap-1 ${isMine ? 'flex-row-reverse' : ''}`}
    >
      <div className="min-w-0 max-w-[82%]">
        <div className={`px-3 py-1.5 ${lookOf(simulator.platform).bubble} ${look}`}>
          {chat.kind === 'group' && !isMine && (
            <p className="untrusted font-semibold text-(--phone-link) text-xs">{message.sender}</p>
          )}
          <PhoneContent message={message} replied={replied} />
          <p className="flex items-center justify-end gap-1 text-(--phone-muted) text-[0.6875rem] leading-4">
            <Marks message={message} />
            {isMine && <Check aria-hidden className="size-3" />}
          </p>
        </div>
        <Below message={message} />
      </div>
      <PhoneMessageMenu message={message} isMine={isMine} onIntend={onIntend} />
    </article>
  );
}

function Row({ message, replied, onIntend }: Props) {
  const { simulator } = usePerson();
  const isMine = useIsMine(message);
  return (
    <article aria-label={t('messageOf', { name: message.sender })} className="group flex items-start gap-2">
      <span className={`mt-0.5 shrink-0 overflow-clip ${lookOf(simulator.platform).avatar}`}>
        <SquareAvatar name={message.sender} />
      </span>
      <div className="min-w-0 grow">
        <p className="flex items-baseline gap-1.5">
          <span className="untrusted truncate font-semibold">{message.sender}</span>
          {message.own && (
            <span className="rounded-sm bg-(--phone-line) px-1 font-medium text-[0.625rem] text-(--phone-text)">
              {t('app')}
            </span>
          )}
          <span className="flex shrink-0 items-center gap-1 text-(--phone-muted) text-[0.6875rem]">
            <Marks message={message} />
          </span>
        </p>
        <PhoneContent message={message} replied={replied} />
        <Below message={message} />
      </div>
      <PhoneMessageMenu message={message} isMine={isMine} onIntend={onIntend} />
    </article>
  );
}

/** The surrounding element sets the shape. */
const SquareAvatar = ({ name }: { readonly name: string }) => (
  <span className="block [&_svg]:rounded-none">
    <Avatar name={name} size={30} />
  </span>
);

const RECEIPTS = { accepted: Clock, sent: Check, delivered: CheckCheck, failed: AlertTriangle } as const;

function Marks({ message: { edited, deleted, sent_at: at, receipt } }: { readonly message: PhoneMessage }) {
  const Icon = receipt === null ? undefined : RECEIPTS[receipt];
  return (
    <>
      {edited && !deleted && <span>{t('edited')}</span>}
      {at !== null && <time dateTime={at}>{clockTime(at)}</time>}
      {receipt !== null && Icon !== undefined && (
        <span className="flex items-center gap-0.5">
          <Icon aria-hidden className="size-3" />
          {t(receipt)}
        </span>
      )}
    </>
  );
}

/** The reactions and buttons of a message. */
function Below({ message }: { readonly message: PhoneMessage }) {
  const { act } = usePerson();
  const { id, deleted, reactions, buttons } = message;
  if (deleted || (reactions.length === 0 && buttons.length === 0)) return null;
  return (
    <div className="mt-1 flex flex-wrap gap-1">
      {reactions.map((emoji) => (
        <span
          key={emoji}
          className="untrusted rounded-full border border-(--phone-line) bg-(--phone-field) px-1.5 text-xs"
        >
          {emoji}
        </span>
      ))}
      {buttons.map((label) => (
        <button
          key={label}
          type="button"
          onClick={() => act({ type: 'press', message_id: id, label })}
          className="untrusted grow rounded-md border border-(--phone-line) bg-(--phone-field) px-2 py-1 text-(--phone-link) text-xs touch:min-h-10"
        >
          {label}
        </button>
      ))}
    </div>
  );
}
