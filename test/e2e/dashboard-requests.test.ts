import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../support/api-client.js';
import {
  addMember,
  asPerson,
  bearer,
  type OAuthStage,
  registerApp,
  shareOAuthStage,
  tokensFor,
} from '../support/oauth.js';

interface Shown {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly duration_ms: number;
  readonly environment: string;
  readonly credential: { readonly kind: string; readonly id: string; readonly name: string };
  readonly request_id: string;
}

let stage: OAuthStage;
let key: { id: string; key: string };

beforeAll(async () => {
  stage = await shareOAuthStage();
  key = (await dashboard(201, 'POST', '/keys', { name: 'Shop', scopes: ['messages:read'] })) as typeof key;
});
afterAll(() => stage?.stop());

async function dashboard(status: number, method: string, path: string, body?: Json): Promise<Json> {
  const headers = asPerson(stage.owner);
  const answer = await stage.anonymous.send(method, `/dashboard/api${path}`, {
    headers,
    ...(body && { body }),
  });
  expect([path, answer.status, answer.text]).toEqual([path, status, answer.text]);
  return answer.body;
}

const list = async (query = '') =>
  (await dashboard(200, 'GET', `/requests${query}`)).data as unknown as Shown[];
const filtered = (...clauses: string[]) =>
  list(`?${clauses.map((each) => `filter=${encodeURIComponent(each)}`).join('&')}`);
/** Resolves with the request once it is written. */
const logged = (requestId: string) =>
  expect.poll(async () => (await filtered(`request_id:${requestId}`))[0], { timeout: 20_000 });

const send = (path: string, requestId: string, headers: Record<string, string | undefined>) =>
  stage.anonymous.get(path, { headers: { ...headers, 'x-request-id': requestId } });

describe('The request log of a workspace', () => {
  it('contains the method, path, status, duration and key of a request, but not its query', async () => {
    const answer = await send('/openapi/messages?limit=3', 'request-of-the-shop', { 'x-api-key': key.key });
    expect(answer.status).toBe(200);
    await logged('request-of-the-shop').toEqual({
      id: expect.any(String),
      method: 'GET',
      path: '/openapi/messages',
      status: 200,
      duration_ms: expect.any(Number),
      environment: 'live',
      credential: { kind: 'api_key', id: key.id, name: 'Shop' },
      request_id: 'request-of-the-shop',
      created_at: expect.any(String),
    });
  });

  it('names the app of a request with an access token, and the test environment of a test key', async () => {
    const app = await registerApp(stage, { name: 'Planner' });
    const { access_token: token } = await tokensFor(stage, app, stage.owner);
    await send('/openapi/messages', 'request-of-the-app', bearer(token).headers);
    await logged('request-of-the-app').toMatchObject({
      credential: { kind: 'oauth_app', id: app.id, name: 'Planner' },
    });
    const test = { name: 'Trial', scopes: ['messages:read'], environment: 'test' };
    const made = await dashboard(201, 'POST', '/keys', test);
    await send('/openapi/messages', 'request-of-the-trial', { 'x-api-key': String(made.key) });
    await logged('request-of-the-trial').toMatchObject({
      environment: 'test',
      credential: { name: 'Trial' },
    });
  });

  it('contains the refused requests of a revoked key, and cuts path segments that are longer than an id', async () => {
    const made = await dashboard(201, 'POST', '/keys', { name: 'Old', scopes: ['messages:read'] });
    await dashboard(204, 'DELETE', `/keys/${made.id}`);
    await send(`/openapi/messages/${made.key}`, 'request-of-the-old', { 'x-api-key': String(made.key) });
    await logged('request-of-the-old').toMatchObject({
      status: 401,
      path: '/openapi/messages/tl_live_…',
      credential: { name: 'Old' },
    });
    const { rows } = await stage.database.pool.query(
      `SELECT count(*)::int AS count FROM request_log r WHERE strpos(r::text, $1) > 0`,
      [made.key],
    );
    expect(rows).toEqual([{ count: 0 }]);
  });

  it('is filtered by method, status class, path prefix and key, and read in pages', async () => {
    const ids = async (...clauses: string[]) => (await filtered(...clauses)).map((each) => each.request_id);
    expect(await ids('status:>=400', 'status:<500')).toEqual(['request-of-the-old']);
    expect(await ids(`credential_id:${key.id}`)).toEqual(['request-of-the-shop']);
    expect(await ids('method:POST')).toEqual([]);
    const within = await list('?path_prefix=/openapi/messages/');
    expect(within.map((each) => each.request_id)).toEqual(['request-of-the-old']);
    const first = await dashboard(200, 'GET', '/requests?limit=3');
    const { nextCursor } = first.pagination as Json;
    const second = await list(`?limit=3&cursor=${nextCursor}`);
    expect([(first.data as unknown[]).length, second.length]).toEqual([3, 1]);
  });

  it('contains no request of the dashboard, and is closed to members', async () => {
    expect((await list()).every(({ path }) => !path.startsWith('/dashboard'))).toBe(true);
    const member = await addMember(stage);
    const answer = await stage.anonymous.get('/dashboard/api/requests', { headers: asPerson(member) });
    expect(answer.status).toBe(403);
  });
});
