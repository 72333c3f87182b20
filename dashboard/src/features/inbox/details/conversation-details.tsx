import { usePermissions } from '../../../api/session';
import { useIdle } from '../../../kit/idle';
import type { Conversation } from '../views';
import { Attributes } from './attributes';
import { Labels } from './labels';
import { LinkedChats } from './linked-chats';
import { messages as t } from './messages';
import { OtherConversations } from './other-conversations';
import { Participants } from './participants';

/** Next to the conversation on wide screens; the messages are shown first. Narrower ones open the same in a dialog. */
export function DetailsPane({ conversation }: { readonly conversation: Conversation }) {
  const isIdle = useIdle();
  return (
    <aside
      aria-label={t('details')}
      className="hidden w-72 shrink-0 overflow-y-auto border-line border-l p-4 xl:block"
    >
      {isIdle && <ConversationDetails conversation={conversation} />}
    </aside>
  );
}

/** Who takes part, who answers, and where the conversation is linked. */
export function ConversationDetails({ conversation }: { readonly conversation: Conversation }) {
  const { canWrite } = usePermissions();
  return (
    <div className="flex flex-col gap-5">
      <Participants conversation={conversation} />
      <Attributes conversation={conversation} canWrite={canWrite} />
      <Labels conversation={conversation} canWrite={canWrite} />
      <LinkedChats conversation={conversation} canWrite={canWrite} />
      <OtherConversations conversation={conversation} />
    </div>
  );
}
