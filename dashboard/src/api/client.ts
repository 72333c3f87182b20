import createClient from 'openapi-fetch';
import { ApiError, errorOf } from './errors';
import type { ImportPaths } from './import-paths';
import type { components, paths } from './schema.gen';
import type { DashboardPaths } from './session-paths';

export type Schemas = components['schemas'];

const BASE = '/dashboard/api';
const SAFE = new Set(['GET', 'HEAD']);

let csrfToken: string | undefined;

/** The token of the session goes with everything that changes something. */
export function rememberCsrfToken(token: string): void {
  csrfToken = token;
}

/** For requests that do not go through `api`. */
export const csrfHeaders = (): Record<string, string> =>
  csrfToken === undefined ? {} : { 'x-csrf-token': csrfToken };

/** To the sign-in page, which leads back here. Drafts are kept by their screens. */
export function signInAgain(): void {
  location.assign(`/dashboard/login?return_to=${encodeURIComponent(location.pathname + location.search)}`);
}

async function sendRequest(request: Request): Promise<Response> {
  const again = SAFE.has(request.method) ? undefined : request.clone();
  const answer = await sendOnce(request);
  if (answer.status !== 403 || again === undefined || !(await lacksToken(answer))) return answer;
  // Another tab signed in again: the cookie is that of the new session, the token that of the old one.
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
  // The page is being left: nothing that waits for this answer has to show an error any more.
  return new Promise(() => undefined);
}

async function lacksToken(answer: Response): Promise<boolean> {
  const body = await answer
    .clone()
    .json()
    .catch(() => undefined);
  return body?.details?.required?.[0] === 'X-CSRF-Token';
}

/** The HTTP interface with the session of the page. Its answers go through `must`. */
export const api = createClient<paths & DashboardPaths & ImportPaths>({ baseUrl: BASE, fetch: sendRequest });

/** The data of an answer; throws ApiError for every other one. */
export async function must<T>(
  sent: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<NonNullable<T>> {
  const { data, error, response } = await sent;
  if (!response.ok) throw errorOf(response, error);
  return data as NonNullable<T>;
}

/** Sends what openapi-fetch does not: streams. */
export function open(path: string, init: RequestInit): Promise<Response> {
  return fetch(BASE + path, init);
}
