import { type KeyboardEvent, useState } from 'react';
import { explain } from '../../api/errors';
import { Button } from '../../kit/button';
import { inputLook } from '../../kit/field';
import { messages as t } from './action-messages';
import { formatByKey } from './markdown/keys';
import { useEditMessage } from './message-changes';
import type { Message } from './message-pages';

const MAX_LENGTH = 10_000;

/** Edits the text of a message inline. */
export function MessageEditor({
  message,
  onClose,
}: {
  readonly message: Message;
  readonly onClose: () => void;
}) {
  const [text, setText] = useState(message.text);
  const edit = useEditMessage(message);
  const isEmpty = text.trim() === '' && message.attachments.length === 0;
  const save = () => {
    if (text === message.text) onClose();
    else if (!isEmpty) edit.mutate(text, { onSuccess: onClose });
  };
  return (
    <div className="my-1 flex max-w-prose flex-col gap-2">
      <textarea
        // biome-ignore lint/a11y/noAutofocus: the person asked for this field a moment ago.
        autoFocus
        aria-label={t('editText')}
        rows={Math.min(8, text.split('\n', 8).length)}
        maxLength={MAX_LENGTH}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={keys(save, onClose, message.content_type === 'markdown')}
        className={`${inputLook} resize-none py-1.5`}
      />
      {edit.isError && (
        <p role="alert" className="text-danger text-sm">
          {explain(edit.error).advice}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <Button size="sm" kind="primary" disabled={isEmpty || edit.isPending} onClick={save}>
          {t('save')}
        </Button>
        <Button size="sm" onClick={onClose}>
          {t('cancel')}
        </Button>
        <span className="text-muted text-xs">{t('editHint')}</span>
      </div>
    </div>
  );
}

/** Enter saves and Shift+Enter inserts a line break. Neither key acts during an input method composition. */
const keys =
  (save: () => void, cancel: () => void, isMarkdown: boolean) =>
  (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    if (isMarkdown && formatByKey(event)) return;
    if (event.key === 'Escape') cancel();
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    save();
  };
