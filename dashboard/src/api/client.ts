import createClient from 'openapi-fetch';
import { ApiError, errorOf } from './errors';
import type { ImportPaths } from './import-paths';
import type { components, paths } from './schema.gen';
import type { DashboardPaths } from './session-paths';

export type Schemas = components['schemas'];

const BASE = '/dashboard/api';
const SAFE = new Set(['GET', 'HEAD']);

let csrfToken: string | undefined;

/** The session's CSRF token, sent with every request that changes data. */
export function rememberCsrfToken(token: string): void {
  csrfToken = token;
}

/** For requests that do not use `api`. */
export const csrfHeaders = (): Record<string, string> =>
  csrfToken === undefined ? {} : { 'x-csrf-token': csrfToken };

/** Opens the sign-in page, which returns here after the sign-in. Screens keep their own drafts. */
export function signInAgain(): void {
  location.assign(`/dashboard/login?return_to=${encodeURIComponent(location.pathname + location.search)}`);
}

async function sendRequest(request: Request): Promise<Response> {
  const again = SAFE.has(request.method) ? undefined : request.clone();
  const answer = await sendOnce(request);
  if (answer.status !== 403 || again === undefined || !(await lacksToken(answer))) return answer;
  // Another tab signed in again. The cookie belongs to the new session, the token to the old one.
  const session = await sendOnce(new Request(`${location.origin}${BASE}/session`));
  if (session.ok) rememberCsrfToken(((await session.json()) as { csrf_token: string }).csrf_token);
  return sendOnce(again);
}

async function sendOnce(request: Request): Promise<Response> {
  if (csrfToken !== undefined && !SAFE.has(request.method)) request.headers.set('x-csrf-token', csrfToken);
  const answer = await fetch(request).catch((error: unknown) => {
    if (request.signal.aborted) throw error;
    throw new ApiError(0);
  });
  if (answer.status !== 401) return answer;
  signInAgain();
  // The page is closing. Requests stay pending, so that no screen shows an error.
  return new Promise(() => undefined);
}

async function lacksToken(answer: Response): Promise<boolean> {
  const body = await answer
    .clone()
    .json()
    .catch(() => undefined);
  return body?.details?.required?.[0] === 'X-CSRF-Token';
}

/** API client with the session of the page. Pass its responses through `must`. */
export const api = createClient<paths & DashboardPaths & ImportPaths>({ baseUrl: BASE, fetch: sendRequest });

/** Returns the data of a successful response. Throws ApiError for any other response. */
export async function must<T>(
  sent: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<NonNullable<T>> {
  const { data, error, response } = await sent;
  if (!response.ok) throw errorOf(response, error);
  return data as NonNullable<T>;
}

/** Sends requests that openapi-fetch does not support: streams. */
export function open(path: string, init: RequestInit): Promise<Response> {
  return fetch(BASE + path, init);
}
