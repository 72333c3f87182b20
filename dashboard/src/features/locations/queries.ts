import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { api, must, type Schemas } from '../../api/client';
import type { ServiceEvent } from '../../api/event-stream';
import { quoted } from '../../api/filter';
import { refresh } from '../../api/refresh';

export type TrackingSession = Schemas['TrackingSession'];
export type Point = Schemas['Location'];
export type SessionState = 'live' | 'ended';

const SESSIONS = 'tracking-sessions';
const POINTS = 'tracking-points';
const PAGE = 50;
/** Maximum number of points of a session on the map and in the table. */
export const MAX_POINTS = 100;
const MAX_FOUND = 8;
const MAX_CONVERSATIONS = 20;
const STATES: Readonly<Record<SessionState, string>> = {
  live: 'status:pending|active',
  ended: 'status:stopped|expired|denied',
};

export const isLive = ({ status }: Pick<TrackingSession, 'status'>): boolean =>
  status === 'pending' || status === 'active';

export const sessionsQuery = (state: SessionState) =>
  infiniteQueryOptions({
    queryKey: [SESSIONS, state],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => {
      const query = { filter: [STATES[state]], limit: PAGE, cursor: pageParam };
      return must(api.GET('/openapi/locations/tracking', { params: { query }, signal }));
    },
    getNextPageParam: ({ pagination }) => pagination?.nextCursor ?? undefined,
  });

/** The newest points of a session, newest first. */
export const pointsQuery = (sessionId: string) =>
  queryOptions({
    queryKey: [POINTS, sessionId],
    queryFn: async ({ signal }): Promise<Point[]> => {
      const order = { sort: 'recorded_at', order: 'desc' } as const;
      const query = { tracking_session_id: sessionId, ...order, limit: MAX_POINTS, cursor: '' };
      return (await must(api.GET('/openapi/locations', { params: { query }, signal }))).data;
    },
  });

/** Contacts whose name contains the text. */
export const foundContactsQuery = (text: string) =>
  queryOptions({
    queryKey: ['tracking-contacts', text],
    enabled: text.length >= 2,
    queryFn: async ({ signal }) => {
      const filter = ['kind:contact', `display_name:~${quoted(text)}`];
      const query = { filter, limit: MAX_FOUND, cursor: '' };
      return (await must(api.GET('/openapi/users', { params: { query }, signal }))).data;
    },
  });

/** The conversations of a person in which a position can be shared. */
export const conversationsOfQuery = (userId: string) =>
  queryOptions({
    queryKey: ['tracking-conversations', userId],
    queryFn: async ({ signal }) => {
      const query = { filter: [`participant_id:${userId}`], limit: MAX_CONVERSATIONS, cursor: '' };
      return (await must(api.GET('/openapi/conversations', { params: { query }, signal }))).data;
    },
  });

/** A change after which the sessions are reloaded. No event reports a session that waits for consent. */
function useSessionChange<Variables>(change: (variables: Variables) => Promise<unknown>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => queries.invalidateQueries({ queryKey: [SESSIONS] }),
  });
}

const byId = (id: string) => ({ path: { id } });

export const useStopSession = () =>
  useSessionChange((id: string) =>
    must(api.POST('/openapi/locations/tracking/{id}/stop', { params: byId(id), body: {} as never })),
  );

export const useRecordConsent = (id: string) =>
  useSessionChange((granted: boolean) =>
    must(
      api.POST('/openapi/locations/tracking/{id}/consent', {
        params: byId(id),
        body: { granted } as never,
      }),
    ),
  );

export interface NewSession {
  readonly user_id: string;
  readonly purpose: string | null;
  readonly duration_seconds: number;
}

export const useStartSession = () =>
  useSessionChange((body: NewSession) =>
    must(api.POST('/openapi/locations/tracking', { params: {}, body: body as never })),
  );

/** Sends a position to a conversation. Retries with the same key send it only once per conversation. */
export const useSharePosition = (key: string) =>
  useMutation({
    mutationFn: ({ conversationId, at }: { readonly conversationId: string; readonly at: Point }) => {
      const { latitude, longitude } = at;
      const body = {
        conversation_id: conversationId,
        text: '',
        attachments: [{ type: 'location', latitude, longitude }],
      };
      const header = { 'Idempotency-Key': `${key}.${conversationId}` };
      return must(api.POST('/openapi/messages', { params: { header } as never, body: body as never }));
    },
  });

/** Reloads sessions and points after one of them has changed. */
export function refreshLocations({ name, data }: ServiceEvent, queries: QueryClient): void {
  if (!name.startsWith('tracking.') && name !== 'location.updated') return;
  refresh(queries, [SESSIONS]);
  const sessionId = name === 'location.updated' ? data.tracking_session_id : data.id;
  if (typeof sessionId === 'string') refresh(queries, [POINTS, sessionId]);
}
