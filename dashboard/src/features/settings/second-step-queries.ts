import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, must } from '../../api/client';
import type { BothSteps } from '../../api/session-paths';
import { membersQuery } from './queries';

export const secondStepQuery = queryOptions({
  queryKey: ['second-step'],
  queryFn: ({ signal }) => must(api.GET('/second-step', { signal })),
});

/** The second step of another member, for users who manage members. */
export const secondStepOfQuery = (id: string) =>
  queryOptions({
    queryKey: ['second-step', id],
    queryFn: ({ signal }) => must(api.GET('/members/{id}/second-step', { params: { path: { id } }, signal })),
  });

/** A change after which the second step and the members are reloaded. */
function useChange<Variables, Result>(change: (variables: Variables) => Promise<Result>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: secondStepQuery.queryKey });
      await queries.invalidateQueries({ queryKey: membersQuery.queryKey });
    },
  });
}

export const useBeginSecondStep = () =>
  useMutation({
    mutationFn: (body: { password: string }) => must(api.POST('/second-step', { body })),
  });

export const useConfirmSecondStep = () =>
  useChange((body: { code: string }) => must(api.POST('/second-step/confirm', { body })));

export const useRenewCodes = () =>
  useChange((body: BothSteps) => must(api.POST('/second-step/recovery-codes', { body })));

export const useDisableSecondStep = () =>
  useChange(async (body: BothSteps) => {
    await must(api.POST('/second-step/disable', { body }));
  });

export const useResetSecondStep = (id: string) =>
  useChange(async (_: undefined) => {
    await must(api.DELETE('/members/{id}/second-step', { params: { path: { id } } }));
  });
