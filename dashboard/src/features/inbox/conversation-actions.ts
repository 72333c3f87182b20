import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, must } from '../../api/client';
import { useSession } from '../../api/session';
import { showError, showToast } from '../../kit/toast';
import { messages as t } from './messages';
import type { Conversation } from './views';

type Change = Partial<Pick<Conversation, 'status' | 'assignee_id' | 'snoozed_until'>>;

const MORNING = 9;

function tomorrowMorning(): string {
  const at = new Date();
  at.setDate(at.getDate() + 1);
  at.setHours(MORNING, 0, 0, 0);
  return at.toISOString();
}

/** What a person does with a conversation. Each is shown at once, can be taken back for 6 s, and has a key. */
export function useConversationActions(conversation: Conversation) {
  const queries = useQueryClient();
  const { user } = useSession();
  return useMemo(() => {
    const act = (change: Change, title: string) =>
      void changeConversation(queries, conversation, change, title);
    const isMine = conversation.assignee_id === user.id;
    const isOpen = conversation.status === 'open';
    return {
      isMine,
      isOpen,
      resolve: () =>
        isOpen ? act({ status: 'resolved' }, t('didResolve')) : act({ status: 'open' }, t('didReopen')),
      assign: () =>
        isMine ? act({ assignee_id: null }, t('didUnassign')) : act({ assignee_id: user.id }, t('didAssign')),
      snooze: () => act({ status: 'snoozed', snoozed_until: tomorrowMorning() }, t('didSnooze')),
    };
  }, [queries, conversation, user.id]);
}

async function changeConversation(
  queries: QueryClient,
  before: Conversation,
  change: Change,
  title: string,
): Promise<void> {
  const key = ['conversation', before.number];
  queries.setQueryData<Conversation>(key, (old) => old && { ...old, ...change });
  try {
    queries.setQueryData(key, await patch(before.id, change));
    const back = formerOf(before, change);
    showToast(
      title,
      () => void patch(before.id, back).then((data) => queries.setQueryData(key, data), showError),
    );
  } catch (error) {
    showError(error);
    await queries.invalidateQueries({ queryKey: key });
  }
}

function patch(id: string, body: Change): Promise<Conversation> {
  return must(api.PATCH('/openapi/conversations/{id}', { params: { path: { id } }, body }));
}

function formerOf(before: Conversation, { status, assignee_id: assignee }: Change): Change {
  if (assignee !== undefined) return { assignee_id: before.assignee_id };
  const until = before.status === 'snoozed' ? { snoozed_until: before.snoozed_until } : {};
  return status === undefined ? {} : { status: before.status, ...until };
}
