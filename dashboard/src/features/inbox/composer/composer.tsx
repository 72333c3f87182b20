import { SendHorizontal } from 'lucide-react';
import { usePermissions } from '../../../api/session';
import { AttachButton, DraftFileList } from '../../../kit/attaching';
import { Button } from '../../../kit/button';
import { OtherDraft } from '../drafts/other-draft';
import { MarkdownSwitch } from '../markdown/switch';
import { messages as t } from '../messages';
import { NoteSwitch } from '../note-switch';
import { Preview } from '../preview/preview';
import { ReplyBar } from '../replying';
import type { Conversation } from '../views';
import { focusComposer } from './focus';
import { SendLater } from './send-later';
import { TextField } from './text-field';
import { useUnsent } from './unsent';

export function Composer({ conversation }: { readonly conversation: Conversation }) {
  const { canWrite } = usePermissions();
  const unsent = useUnsent(conversation.id);
  const { text, setText, isNote, setNote, isMarkdown, drafts, draft, canSend, send } = unsent;
  const choose = andFocus(setNote);
  if (!canWrite) return <p className="border-line border-t p-4 text-muted text-sm">{t('viewOnly')}</p>;
  return (
    <form
      className="flex flex-col gap-2 border-line border-t p-3"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <NoteSwitch isNote={isNote} onChange={choose} />
      <OtherDraft />
      <ReplyBar />
      <DraftFileList files={drafts.files} onRemove={drafts.remove} />
      <div className="flex items-end gap-2">
        <AttachButton onChoose={drafts.add} />
        <TextField
          conversation={conversation}
          text={text}
          isNote={isNote}
          isMarkdown={isMarkdown}
          onChange={setText}
          onFiles={drafts.add}
          onSend={send}
        />
        <div className="flex gap-px">
          <Button
            type="submit"
            kind="primary"
            disabled={!canSend}
            className={isNote ? undefined : 'rounded-r-none'}
          >
            <SendHorizontal aria-hidden className="size-4" />
            <span className="max-sm:sr-only">{t(isNote ? 'addNote' : 'send')}</span>
          </Button>
          {!isNote && <SendLater isDisabled={!canSend} onChoose={send} />}
        </div>
      </div>
      <div className="flex items-center justify-between gap-2">
        {isNote ? <span /> : <Preview conversationId={conversation.id} draft={draft} />}
        <MarkdownSwitch isOn={isMarkdown} onChange={unsent.setMarkdown} />
      </div>
    </form>
  );
}

const andFocus = (setNote: (isNote: boolean) => void) => (isNote: boolean) => {
  setNote(isNote);
  focusComposer();
};
