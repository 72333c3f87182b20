import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { api, must } from '../../api/client';
import { useSession } from '../../api/session';
import { momentTime } from '../../i18n/time';
import { showError, showToast } from '../../kit/toast';
import { messages as t } from './messages';
import type { Conversation } from './views';

export type Change = Partial<
  Pick<Conversation, 'status' | 'assignee_id' | 'team' | 'snoozed_until' | 'labels' | 'priority'>
>;

export const snoozedUntil = (until: Date): Change => ({
  status: 'snoozed',
  snoozed_until: until.toISOString(),
});

/** Changes a conversation. The change is shown immediately and can be undone for 6 s. */
export function useChangeConversation(conversation: Conversation): (change: Change, title: string) => void {
  const queries = useQueryClient();
  return useCallback(
    (change, title) => void changeConversation(queries, conversation, change, title),
    [queries, conversation],
  );
}

/** The changes that agents make most often. */
export function useConversationActions(conversation: Conversation) {
  const act = useChangeConversation(conversation);
  const { user } = useSession();
  return useMemo(() => {
    const isMine = conversation.assignee_id === user.id;
    const isOpen = conversation.status === 'open';
    return {
      isMine,
      isOpen,
      resolve: () =>
        isOpen ? act({ status: 'resolved' }, t('didResolve')) : act({ status: 'open' }, t('didReopen')),
      assign: () =>
        isMine ? act({ assignee_id: null }, t('didUnassign')) : act({ assignee_id: user.id }, t('didAssign')),
      snooze: (until: Date) =>
        act(snoozedUntil(until), t('didSnooze', { time: momentTime(until.toISOString()) })),
    };
  }, [act, conversation, user.id]);
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

/** Changes several conversations in sequence. Successful changes can be undone for 6 s, even if others failed. */
export async function changeConversations(
  all: readonly Conversation[],
  change: Change,
  titleOf: (count: number) => string,
): Promise<void> {
  const changed: Conversation[] = [];
  let problem: unknown;
  for (const each of all) {
    try {
      await patch(each.id, change);
      changed.push(each);
    } catch (error) {
      problem = error;
    }
  }
  if (problem !== undefined) showError(problem);
  if (changed.length === 0) return;
  const undo = async () => {
    for (const each of changed) await patch(each.id, formerOf(each, change));
  };
  showToast(titleOf(changed.length), () => void undo().catch(showError));
}

function patch(id: string, body: Change): Promise<Conversation> {
  return must(api.PATCH('/openapi/conversations/{id}', { params: { path: { id } }, body }));
}

/** The values before a change. The service accepts `snoozed_until` only together with the status. */
function formerOf(before: Conversation, change: Change): Change {
  const { status, assignee_id, team, labels, priority, snoozed_until } = before;
  return {
    ...(change.assignee_id !== undefined && { assignee_id }),
    ...(change.team !== undefined && { team }),
    ...(change.labels !== undefined && { labels }),
    ...(change.priority !== undefined && { priority }),
    ...(change.status !== undefined && { status, ...(status === 'snoozed' && { snoozed_until }) }),
  };
}
