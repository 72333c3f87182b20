import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { api, must, rememberCsrfToken } from './client';
import type { Role, Session } from './session-paths';

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }): Promise<Session> => {
    const session = await must(api.GET('/session', { signal }));
    rememberCsrfToken(session.csrf_token);
    return session;
  },
  staleTime: 60_000,
});

/** Who is signed in. The shell has loaded it before any screen is shown. */
export const useSession = (): Session => useSuspenseQuery(sessionQuery).data;

const MANAGES: readonly Role[] = ['owner', 'admin'];

/** What the role may do; the service decides in the end. */
export function usePermissions() {
  const { role } = useSession();
  return { canManage: MANAGES.includes(role), canWrite: role !== 'viewer' };
}

export async function signOut(): Promise<void> {
  await must(api.DELETE('/session'));
  location.assign('/dashboard/login');
}
