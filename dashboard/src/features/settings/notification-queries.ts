import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, must } from '../../api/client';
import type { NotificationChoices } from '../../api/notification-paths';
import { notificationsQuery } from '../../api/notifications';
import { turnOffPush, turnOnPush } from '../../api/push';
import { useSession } from '../../api/session';

const { queryKey } = notificationsQuery;

/** Shows a changed setting immediately, and stores it. */
export function useChooseNotifications() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Partial<NotificationChoices>) => must(api.PATCH('/notifications', { body })),
    onMutate: async (chosen) => {
      await queries.cancelQueries({ queryKey });
      queries.setQueryData(queryKey, (old) => old && { ...old, ...chosen });
    },
    onSettled: () => queries.invalidateQueries({ queryKey }),
    scope: { id: 'notifications' },
  });
}

/** Turns push notifications on or off in this browser. */
export function useTurnPush() {
  const { user } = useSession();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (isOn: boolean) => (isOn ? turnOnPush(user.id) : turnOffPush()),
    onSettled: () => queries.invalidateQueries({ queryKey }),
  });
}

export function useTestPush() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async () => (await must(api.POST('/push-subscription/test'))).result,
    onSettled: () => queries.invalidateQueries({ queryKey }),
  });
}
