import { SendHorizontal } from 'lucide-react';
import { type ClipboardEvent, type KeyboardEvent, useRef } from 'react';
import { usePermissions } from '../../api/session';
import { Button } from '../../kit/button';
import { inputLook } from '../../kit/field';
import { AttachButton, DraftFileList, useDraftFiles } from './attaching';
import { useDraft } from './drafts';
import { useShowNewest } from './jumping';
import { messages as t } from './messages';
import { NoteSwitch } from './note-switch';
import { ReplyBar, useReplying } from './replying';
import { useOutbox } from './sending';
import type { Conversation } from './views';

const NOTE = 'note';
const MAX_LENGTH = 10_000;
/** Some browsers report the key that ends a composition after its end; in milliseconds. */
const AFTER_COMPOSITION_MS = 50;

export function Composer({ conversation }: { readonly conversation: Conversation }) {
  const { canWrite } = usePermissions();
  const { text, setText, isNote, setNote, drafts, canSend, send } = useUnsent(conversation.id);
  const enter = useEnter(send);
  if (!canWrite) return <p className="border-line border-t p-4 text-muted text-sm">{t('viewOnly')}</p>;
  return (
    <form
      className="flex flex-col gap-2 border-line border-t p-3"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <NoteSwitch isNote={isNote} onChange={setNote} />
      <ReplyBar />
      <DraftFileList files={drafts.files} onRemove={drafts.remove} />
      <div className="flex items-end gap-2">
        <AttachButton onChoose={drafts.add} />
        <textarea
          data-composer
          aria-label={t('write')}
          placeholder={t(isNote ? 'noteHint' : 'writeHint')}
          rows={Math.min(8, text.split('\n', 8).length + 1)}
          maxLength={MAX_LENGTH}
          value={text}
          onChange={(event) => setText(event.target.value)}
          className={`${inputLook} resize-none py-2 ${isNote ? '!bg-warning-soft' : ''}`}
          onPaste={pasting(drafts.add)}
          {...enter}
        />
        <Button type="submit" kind="primary" disabled={!canSend}>
          <SendHorizontal aria-hidden className="size-4" />
          <span className="max-sm:sr-only">{t(isNote ? 'addNote' : 'send')}</span>
        </Button>
      </div>
    </form>
  );
}

/** What is written in a conversation and not sent yet. Text and its kind outlive the page, so that a note never becomes a reply. */
function useUnsent(conversationId: string) {
  const outbox = useOutbox();
  const reply = useReplying();
  const showNewest = useShowNewest();
  const drafts = useDraftFiles(conversationId);
  const [text, setText] = useDraft('', conversationId);
  const [kind, setKind] = useDraft('kind.', conversationId);
  const isNote = kind === NOTE;
  const canSend = (text.trim() !== '' || drafts.files.length > 0) && drafts.isReady;
  const send = () => {
    if (!canSend) return;
    const writtenAt = new Date().toISOString();
    const message = { key: newKey(), conversationId, text, uploadIds: drafts.take(), writtenAt };
    const target = reply.target === undefined ? {} : { replyToId: reply.target.id };
    void outbox.add({ ...message, ...target, isInternal: isNote });
    setText('');
    reply.end();
    showNewest();
  };
  const setNote = (next: boolean) => setKind(next ? NOTE : '');
  return { text, setText, isNote, setNote, drafts, canSend, send };
}

const pasting = (add: (files: Iterable<File>) => void) => (event: ClipboardEvent) => {
  const { files } = event.clipboardData;
  if (files.length === 0) return;
  event.preventDefault();
  add(files);
};

/** `randomUUID` exists in secure contexts alone; the key needs to be unique, not secret. */
function newKey(): string {
  if (crypto.randomUUID !== undefined) return crypto.randomUUID();
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-');
}

/** Enter sends and Shift+Enter breaks the line, but the Enter that chooses a word of an input method does neither. */
function useEnter(send: () => void) {
  const composedAt = useRef(Number.NEGATIVE_INFINITY);
  return {
    onCompositionEnd: ({ timeStamp }: { timeStamp: number }) => {
      composedAt.current = timeStamp;
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || event.shiftKey) return;
      const isComposing = event.nativeEvent.isComposing || event.keyCode === 229;
      if (isComposing || event.timeStamp - composedAt.current < AFTER_COMPOSITION_MS) return;
      event.preventDefault();
      send();
    },
  };
}
