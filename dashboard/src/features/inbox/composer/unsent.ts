import type { Draft } from '../../../api/inbox-paths';
import { randomId } from '../../../api/random-id';
import { useDraftFiles } from '../attaching';
import { useDraftContent, useDraftKeeper } from '../drafts/draft-provider';
import { useShowNewest } from '../jumping';
import { useMarkdown } from '../markdown/choice';
import { useOutbox } from '../sending';
import { useTellTyping } from '../typing';

/** The unsent message of a conversation. Its text and type survive a reload, so that a note never becomes a reply. */
export function useUnsent(conversationId: string) {
  const outbox = useOutbox();
  const showNewest = useShowNewest();
  const drafts = useDraftFiles(conversationId);
  const keeper = useDraftKeeper();
  const { text, isNote, reply } = useDraftContent();
  const tellTyping = useTellTyping(conversationId);
  const [isMarkdown, setMarkdown] = useMarkdown();
  const setText = (next: string) => {
    keeper.change({ text: next });
    // Notes are internal, so the other side must not see a typing indicator.
    if (!isNote) tellTyping(next);
  };
  const canSend = (text.trim() !== '' || drafts.files.length > 0) && drafts.isReady;
  const send = (at?: Date) => {
    if (!canSend) return;
    void outbox.add({
      key: randomId(),
      conversationId,
      text,
      uploadIds: drafts.take(),
      writtenAt: new Date().toISOString(),
      isInternal: isNote,
      isMarkdown,
      ...(reply !== undefined && { replyToId: reply.id }),
      ...(at !== undefined && { sendAt: at.toISOString() }),
    });
    keeper.change({ text: '', reply: undefined });
    if (!isNote) tellTyping('');
    showNewest();
  };
  const draft: Draft = {
    text,
    content_type: isMarkdown ? 'markdown' : 'text',
    reply_to_id: reply?.id ?? null,
    files: drafts.files.map(({ file }) => ({
      name: file.name.slice(0, 255),
      mime_type: file.type,
      size: file.size,
    })),
  };
  const setNote = (next: boolean) => keeper.change({ isNote: next });
  return { text, setText, isNote, setNote, isMarkdown, setMarkdown, drafts, draft, canSend, send };
}
