import { usePermissions } from '../../../api/session';
import { useIdle } from '../../../kit/idle';
import type { Conversation } from '../views';
import { Attributes } from './attributes';
import { Labels } from './labels';
import { LinkedChats } from './linked-chats';
import { messages as t } from './messages';
import { OtherConversations } from './other-conversations';
import { Participants } from './participants';

/**
 * Shown next to the conversation on wide screens, and rendered after the messages. Narrow screens open the same content in a
 * dialog.
 */
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

/** The participants, the assignee, and the linked chats of the conversation. */
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
