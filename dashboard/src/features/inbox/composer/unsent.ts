import type { Draft } from '../../../api/inbox-paths';
import { useDraftFiles } from '../attaching';
import { useDraft } from '../drafts';
import { useShowNewest } from '../jumping';
import { useMarkdown } from '../markdown/choice';
import { useReplying } from '../replying';
import { useOutbox } from '../sending';
import { useTellTyping } from '../typing';

const NOTE = 'note';

/** What is written in a conversation and not sent yet. Text and its kind outlive the page, so that a note never becomes a reply. */
export function useUnsent(conversationId: string) {
  const outbox = useOutbox();
  const reply = useReplying();
  const showNewest = useShowNewest();
  const drafts = useDraftFiles(conversationId);
  const [text, store] = useDraft('', conversationId);
  const tellTyping = useTellTyping(conversationId);
  const [kind, setKind] = useDraft('kind.', conversationId);
  const [isMarkdown, setMarkdown] = useMarkdown();
  const isNote = kind === NOTE;
  const setText = (next: string) => {
    store(next);
    // A note is for members, and the other side must not see that it is written.
    if (!isNote) tellTyping(next);
  };
  const canSend = (text.trim() !== '' || drafts.files.length > 0) && drafts.isReady;
  const send = (at?: Date) => {
    if (!canSend) return;
    void outbox.add({
      key: newKey(),
      conversationId,
      text,
      uploadIds: drafts.take(),
      writtenAt: new Date().toISOString(),
      isInternal: isNote,
      isMarkdown,
      ...(reply.target !== undefined && { replyToId: reply.target.id }),
      ...(at !== undefined && { sendAt: at.toISOString() }),
    });
    setText('');
    reply.end();
    showNewest();
  };
  const draft: Draft = {
    text,
    content_type: isMarkdown ? 'markdown' : 'text',
    reply_to_id: reply.target?.id ?? null,
    files: drafts.files.map(({ file }) => ({
      name: file.name.slice(0, 255),
      mime_type: file.type,
      size: file.size,
    })),
  };
  const setNote = (next: boolean) => setKind(next ? NOTE : '');
  return { text, setText, isNote, setNote, isMarkdown, setMarkdown, drafts, draft, canSend, send };
}

/** `randomUUID` exists in secure contexts alone; the key needs to be unique, not secret. */
function newKey(): string {
  if (crypto.randomUUID !== undefined) return crypto.randomUUID();
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-');
}
