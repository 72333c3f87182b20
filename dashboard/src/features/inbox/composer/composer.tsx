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
      <OtherDraft />
      <div
        className={`flex flex-col rounded-lg border has-[textarea:focus-visible]:outline-2 has-[textarea:focus-visible]:outline-accent ${isNote ? 'border-note-line bg-note' : 'border-line-strong'}`}
      >
        <div className="flex flex-col gap-2 px-2 pt-2">
          <NoteSwitch isNote={isNote} onChange={choose} />
          <ReplyBar />
          <DraftFileList files={drafts.files} onRemove={drafts.remove} />
        </div>
        <TextField
          conversation={conversation}
          text={text}
          isNote={isNote}
          isMarkdown={isMarkdown}
          onChange={setText}
          onFiles={drafts.add}
          onSend={send}
        />
        <div className="flex flex-wrap items-center gap-1 px-2 pb-2">
          <AttachButton onChoose={drafts.add} />
          <MarkdownSwitch isOn={isMarkdown} onChange={unsent.setMarkdown} />
          <div className="min-w-0 grow basis-0">
            {!isNote && <Preview conversationId={conversation.id} draft={draft} />}
          </div>
          <SendButtons isNote={isNote} canSend={canSend} onSendAt={send} />
        </div>
      </div>
    </form>
  );
}

interface SendButtonsProps {
  readonly isNote: boolean;
  readonly canSend: boolean;
  readonly onSendAt: (at: Date) => void;
}

function SendButtons({ isNote, canSend, onSendAt }: SendButtonsProps) {
  return (
    <div className="flex gap-px">
      <Button
        type="submit"
        kind="primary"
        disabled={!canSend}
        className={isNote ? undefined : 'rounded-r-none'}
      >
        <SendHorizontal aria-hidden className="size-4" />
        {t(isNote ? 'addNote' : 'send')}
      </Button>
      {!isNote && <SendLater isDisabled={!canSend} onChoose={onSendAt} />}
    </div>
  );
}

const andFocus = (setNote: (isNote: boolean) => void) => (isNote: boolean) => {
  setNote(isNote);
  focusComposer();
};
