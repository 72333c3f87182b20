import { infiniteQueryOptions } from '@tanstack/react-query';
import type { Call } from '../../api/calls';
import { api, must } from '../../api/client';

export interface CallFilter {
  readonly state: 'any' | 'live' | 'ended' | 'missed' | 'failed';
  readonly type: Call['type'] | '';
  readonly whose: 'all' | 'mine';
}

const PAGE = 50;
const STATES: Readonly<Record<CallFilter['state'], readonly string[]>> = {
  any: [],
  live: ['status:initiated|ringing|active'],
  ended: ['status:ended'],
  missed: ['end_reason:no_answer|declined|busy|canceled'],
  failed: ['status:failed'],
};

/** Whether a filter from an address has only values that exist. */
export const isKnown = ({ state, type, whose }: CallFilter): boolean =>
  state in STATES && ['', 'voice', 'video'].includes(type) && ['all', 'mine'].includes(whose);

const clausesOf = ({ state, type, whose }: CallFilter, userId: string): string[] => [
  ...STATES[state],
  ...(type === '' ? [] : [`type:${type}`]),
  ...(whose === 'mine' ? [`participant_id:${userId}`] : []),
];

export const callsQuery = (filter: CallFilter, userId: string) =>
  infiniteQueryOptions({
    queryKey: ['calls', filter, userId],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => {
      const query = { filter: clausesOf(filter, userId), limit: PAGE, cursor: pageParam };
      return must(api.GET('/openapi/calls', { params: { query }, signal }));
    },
    getNextPageParam: ({ pagination }) => pagination?.nextCursor ?? undefined,
  });

/** The number of a conversation, which the inbox uses in its path. */
export async function conversationNumber(id: string): Promise<number> {
  return (await must(api.GET('/openapi/conversations/{id}', { params: { path: { id } } }))).number;
}
