import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api, must, type Schemas } from './client';
import type { ServiceEvent } from './event-stream';
import { refresh } from './refresh';

export type Call = Schemas['Call'];

const MAX_LIVE = 20;
const LIVE_CALLS = ['live-calls'];

export const isLive = ({ status }: Pick<Call, 'status'>): boolean =>
  status !== 'ended' && status !== 'failed';

/** The calls of the user that have not ended. */
export const liveCallsQuery = (userId: string) =>
  queryOptions({
    queryKey: [...LIVE_CALLS, userId],
    queryFn: async ({ signal }): Promise<Call[]> => {
      const filter = ['status:initiated|ringing|active', `participant_id:${userId}`];
      const query = { filter, limit: MAX_LIVE, cursor: '' };
      return (await must(api.GET('/openapi/calls', { params: { query }, signal }))).data;
    },
  });

/** Reloads calls after one has changed. */
export function refreshCalls({ name }: ServiceEvent, queries: QueryClient): void {
  if (!name.startsWith('call.')) return;
  refresh(queries, LIVE_CALLS);
  refresh(queries, ['calls']);
}

const byId = (id: string) => ({ path: { id } });

export const startCall = (conversationId: string, type: Call['type']): Promise<Call> =>
  must(
    api.POST('/openapi/calls', { params: {}, body: { conversation_id: conversationId, type } as never }),
  ) as Promise<Call>;

export async function declineCall(id: string): Promise<void> {
  await must(
    api.POST('/openapi/calls/{id}/signal', { params: byId(id), body: { type: 'decline' } as never }),
  );
}

export async function endCall(id: string): Promise<void> {
  await must(api.POST('/openapi/calls/{id}/end', { params: byId(id), body: {} as never }));
}

/**
 * Opens the page of a call in a separate tab, so that the call continues while the user works here. The tab is opened before the
 * token arrives, because browsers allow opening a tab only during the click.
 */
export async function joinCall(find: () => Promise<string>): Promise<void> {
  const tab = window.open('', '_blank');
  try {
    const id = await find();
    const { token } = await must(
      api.POST('/openapi/calls/{id}/token', { params: byId(id), body: {} as never }),
    );
    const address = `/join/${encodeURIComponent(token)}`;
    if (tab === null) location.assign(address);
    else tab.location.replace(address);
  } catch (error) {
    tab?.close();
    throw error;
  }
}
