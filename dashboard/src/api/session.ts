import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { api, must, rememberCsrfToken } from './client';
import { ApiError } from './errors';
import type { Role, Session } from './session-paths';

const MAX_WAIT_MS = 3_000;
const RETRIES = 3;

/** Retries without limit while the network is down or the service is starting. */
function mayRetry(failures: number, error: unknown): boolean {
  const status = error instanceof ApiError ? error.status : 0;
  return [0, 502, 503, 504].includes(status) || (status >= 500 && failures < RETRIES);
}

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }): Promise<Session> => {
    const session = await must(api.GET('/session', { signal }));
    rememberCsrfToken(session.csrf_token);
    return session;
  },
  retry: mayRetry,
  retryDelay: (failures) => Math.min(500 * 2 ** failures, MAX_WAIT_MS),
  staleTime: 60_000,
});

/** The signed-in user. The shell loads the session before it shows any screen. */
export const useSession = (): Session => useSuspenseQuery(sessionQuery).data;

const MANAGES: readonly Role[] = ['owner', 'admin'];

/** The permissions of the role. The service makes the final decision. */
export function usePermissions() {
  const { role, view } = useSession();
  return { canManage: MANAGES.includes(role), canWrite: role !== 'viewer', seesAll: view === undefined };
}

export async function signOut(): Promise<void> {
  await must(api.DELETE('/session'));
  location.assign('/dashboard/login');
}
