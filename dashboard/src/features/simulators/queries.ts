import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, must } from '../../api/client';
import type { PhoneAction, SimulatorFault } from '../../api/simulator-paths';
import { simulatorsQuery } from '../../api/simulators';
import { showError } from '../../kit/toast';

/** Changes on a simulated platform do not produce an event of the service, so the phones poll. */
const SCREEN_MS = 800;
const CALLS_MS = 1_500;
const STATUS_MS = 3_000;

export const liveSimulatorsQuery = { ...simulatorsQuery, refetchInterval: STATUS_MS };

export const screenQuery = (platform: string, chatId: string) =>
  queryOptions({
    queryKey: ['simulators', platform, 'screen', chatId],
    queryFn: ({ signal }) => {
      const params = { path: { platform }, query: { chat_id: chatId } };
      return must(api.GET('/simulators/{platform}/screen', { params, signal }));
    },
    refetchInterval: SCREEN_MS,
  });

export const callsQuery = (platform: string) =>
  queryOptions({
    queryKey: ['simulators', platform, 'calls'],
    queryFn: ({ signal }) => {
      const params = { path: { platform } };
      return must(api.GET('/simulators/{platform}/calls', { params, signal }));
    },
    refetchInterval: CALLS_MS,
  });

/** The contents of a file as an object URL that is valid until the page closes. */
export const fileQuery = (platform: string, chatId: string, messageId: string, index: number) =>
  queryOptions({
    queryKey: ['simulators', platform, 'file', chatId, messageId, index],
    queryFn: async ({ signal }) => {
      const query = { chat_id: chatId, message_id: messageId, index: String(index) };
      const params = { path: { platform }, query };
      const file = await must(api.GET('/simulators/{platform}/file', { params, signal }));
      const bytes = Uint8Array.from(atob(file.content), (character) => character.charCodeAt(0));
      return URL.createObjectURL(new Blob([bytes], { type: file.mime_type }));
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });

/** Performs an action as a person on the platform. */
export function useAct(platform: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: PhoneAction) =>
      must(api.POST('/simulators/{platform}/actions', { params: { path: { platform } }, body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['simulators', platform, 'screen'] }),
    onError: showError,
  });
}

export function useSetFault(platform: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: SimulatorFault) =>
      must(api.POST('/simulators/{platform}/faults', { params: { path: { platform } }, body })),
    onSuccess: async (calls) => {
      queries.setQueryData(callsQuery(platform).queryKey, calls);
      await queries.invalidateQueries(simulatorsQuery);
    },
    onError: showError,
  });
}

export function useClearFaults(platform: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => must(api.DELETE('/simulators/{platform}/faults', { params: { path: { platform } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: callsQuery(platform).queryKey }),
    onError: showError,
  });
}
