import { infiniteQueryOptions } from '@tanstack/react-query';
import { api, must } from '../../api/client';
import { quoted } from '../../api/filter';

type StatusClass = 'any' | 'success' | 'refused' | 'failed';

export interface RequestFilter {
  readonly method: string;
  readonly status: StatusClass;
  readonly pathPrefix: string;
  readonly credentialId: string;
  readonly requestId: string;
}

export const EVERYTHING: RequestFilter = {
  method: '',
  status: 'any',
  pathPrefix: '',
  credentialId: '',
  requestId: '',
};

const PAGE = 50;
const REFRESH_MS = 5_000;

const STATUS_CLAUSES: Readonly<Record<StatusClass, readonly string[]>> = {
  any: [],
  success: ['status:<400'],
  refused: ['status:>=400', 'status:<500'],
  failed: ['status:>=500'],
};

function clausesOf({ method, status, credentialId, requestId }: RequestFilter): string[] {
  const wanted = requestId.trim();
  return [
    ...STATUS_CLAUSES[status],
    ...(method === '' ? [] : [`method:${method}`]),
    ...(credentialId === '' ? [] : [`credential_id:${credentialId}`]),
    ...(wanted === '' ? [] : [`request_id:${quoted(wanted)}`]),
  ];
}

/** The API requests of the last 24 hours, newest first. With `isLive`, the list is reloaded every five seconds. */
export const requestsQuery = (filter: RequestFilter, isLive: boolean) =>
  infiniteQueryOptions({
    queryKey: ['requests', filter],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => {
      const prefix = filter.pathPrefix.trim();
      const query = {
        filter: clausesOf(filter),
        limit: PAGE,
        cursor: pageParam,
        ...(prefix !== '' && { path_prefix: prefix }),
      };
      return must(api.GET('/requests', { params: { query }, signal }));
    },
    getNextPageParam: ({ pagination }) => pagination.nextCursor ?? undefined,
    refetchInterval: isLive ? REFRESH_MS : false,
  });
