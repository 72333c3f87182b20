import { SendHorizontal, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { lookOf } from '../../kit/phone-looks';
import { messages as t } from './messages';
import { type Intent, usePerson } from './person';
import { PhoneExtras } from './phone-extras';

/** Platforms show the typing indicator for a few seconds, so it is repeated. */
const TYPING_MS = 4_000;
const MAX_LENGTH = 4_000;

interface Props {
  readonly intent: Intent | undefined;
  readonly onDone: () => void;
}

/** The text field of the person. Each intent has its own initial text. */
export function PhoneComposer({ intent, onDone }: Props) {
  const { simulator, act, isPending } = usePerson();
  const [text, setText] = useState(intent?.kind === 'edit' ? intent.message.text : '');
  const type = useTyping();
  const send = () => {
    const written = text.trim();
    if (written === '' || isPending('write', 'edit')) return;
    const done = () => {
      setText('');
      onDone();
    };
    if (intent?.kind === 'edit') act({ type: 'edit', message_id: intent.message.id, text: written }, done);
    else act({ type: 'write', text: written, ...(intent && { reply_to_id: intent.message.id }) }, done);
  };
  return (
    <form
      className="shrink-0 border-(--phone-line) border-t bg-(--phone-page) px-2 pt-2 pb-4 text-(--phone-text)"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {intent !== undefined && <IntentBar intent={intent} onCancel={onDone} />}
      <div className="flex items-center gap-1">
        <PhoneExtras />
        <input
          // biome-ignore lint/a11y/noAutofocus: the person has just asked for it.
          autoFocus={intent !== undefined}
          aria-label={t('writeAs', { name: simulator.name })}
          placeholder={t('write')}
          value={text}
          maxLength={MAX_LENGTH}
          autoComplete="off"
          onChange={({ target }) => {
            setText(target.value);
            if (target.value !== '') type();
          }}
          className={`h-9 min-w-0 grow touch:h-10 border border-(--phone-line) bg-(--phone-field) px-3 text-base text-(--phone-text) touch:text-[1rem] placeholder:text-(--phone-muted) ${lookOf(simulator.platform).field}`}
        />
        <SendButton name={simulator.name} isDisabled={text.trim() === ''} />
      </div>
    </form>
  );
}

function SendButton({ name, isDisabled }: { readonly name: string; readonly isDisabled: boolean }) {
  return (
    <button
      type="submit"
      aria-label={t('send', { name })}
      disabled={isDisabled}
      className="flex size-9 touch:size-10 shrink-0 items-center justify-center rounded-full text-(--phone-link) disabled:opacity-40"
    >
      <SendHorizontal aria-hidden className="size-5" />
    </button>
  );
}

function IntentBar({
  intent: { kind, message },
  onCancel,
}: {
  readonly intent: Intent;
  readonly onCancel: () => void;
}) {
  return (
    <div className="mb-1.5 flex items-center gap-2 border-(--phone-link) border-l-2 pl-2 text-xs">
      <p className="min-w-0 grow">
        <span className="block font-semibold">
          {t(kind === 'edit' ? 'editing' : 'replying', { name: message.sender })}
        </span>
        <span className="untrusted block truncate text-(--phone-muted)">{message.text}</span>
      </p>
      <button
        type="button"
        aria-label={t('cancel')}
        onClick={onCancel}
        className="flex size-7 touch:size-10 items-center justify-center"
      >
        <X aria-hidden className="size-4" />
      </button>
    </div>
  );
}

/** Sends a typing indicator to the company if the platform supports it. */
function useTyping(): () => void {
  const { act, can } = usePerson();
  const shownAt = useRef(0);
  return () => {
    if (!can('type') || Date.now() - shownAt.current < TYPING_MS) return;
    shownAt.current = Date.now();
    act({ type: 'type' });
  };
}
