import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type App,
  asPerson,
  authorizedCode,
  bearer,
  type OAuthStage,
  refresh,
  registerApp,
  sendForm,
  shareOAuthStage,
  type Tokens,
} from '../support/oauth.js';

/** Enough rounds that one response would arrive before the revocation takes effect. */
const ROUNDS = 12;

let stage: OAuthStage;
beforeAll(async () => {
  stage = await shareOAuthStage();
});
afterAll(() => stage?.stop());

const status = async (token: string) => (await stage.anonymous.get('/openapi/status', bearer(token))).status;
const token = (app: App, fields: Record<string, string | undefined>) =>
  sendForm(stage, '/oauth/token', { ...fields, client_id: app.clientId });
const remove = async (path: string) =>
  (await stage.anonymous.delete(path, { headers: asPerson(stage.owner) })).status;
const newest = async (path: string) => {
  const { body } = await stage.anonymous.get<{ data: { id: string }[] }>(`${path}?limit=1`, {
    headers: asPerson(stage.owner),
  });
  return body.data[0]?.id;
};

const statusOf = async (key: string) =>
  (await stage.anonymous.get('/openapi/status', { headers: { 'x-api-key': key } })).status;
const newKey = async () => {
  const { body } = await stage.anonymous.post<{ id: string; key: string }>(
    '/dashboard/api/keys',
    { name: 'Short-lived', scopes: ['broadcasts:write', 'messages:write'] },
    { headers: asPerson(stage.owner) },
  );
  return body;
};

interface Granted {
  readonly app: App;
  readonly exchange: Record<string, string | undefined>;
  readonly tokens: Tokens;
}

const endings: [string, number, (granted: Granted) => Promise<number>][] = [
  ['a code that comes again', 400, async ({ app, exchange }) => (await token(app, exchange)).status],
  [
    'a refresh token that comes again',
    400,
    async ({ app, tokens }) => {
      const form = refresh(app, tokens.refresh_token);
      expect((await token(app, form)).status).toBe(200);
      return (await token(app, form)).status;
    },
  ],
  [
    'an access token given back',
    200,
    async ({ app, tokens }) => {
      const form = { token: tokens.access_token, client_id: app.clientId };
      return (await sendForm(stage, '/oauth/revoke', form)).status;
    },
  ],
  [
    'a grant that its user ends',
    204,
    async () => remove(`/dashboard/api/oauth/grants/${await newest('/dashboard/api/oauth/grants')}`),
  ],
  [
    'a grant that an administrator ends',
    204,
    async ({ app }) =>
      remove(`/dashboard/api/oauth-app-grants/${await newest(`/dashboard/api/oauth-apps/${app.id}/grants`)}`),
  ],
  ['an app that is removed', 204, ({ app }) => remove(`/dashboard/api/oauth-apps/${app.id}`)],
];

/** A request of a key whose body is still missing. Its rest can be sent later. */
async function begun(path: string, key: string, headers: Record<string, string>, start: string) {
  const waiting = request(`${stage.service.url}/v1${path}`, {
    method: 'POST',
    headers: { 'x-api-key': key, expect: '100-continue', ...headers },
  });
  const answered = once(waiting, 'response') as Promise<[IncomingMessage]>;
  waiting.flushHeaders();
  // The service asks for the body after it has read the head.
  await once(waiting, 'continue');
  waiting.write(start);
  return async (rest: string) => {
    waiting.end(rest);
    const [response] = await answered;
    return [response.statusCode, JSON.parse(await text(response)).error];
  };
}

const boundary = '--part\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n';
const slowBodies: [string, string, Record<string, string>, string, string][] = [
  ['JSON', '/openapi/templates', { 'content-type': 'application/json' }, '{"name":"Late",', '"text":"x"}'],
  [
    'JSON with an Idempotency-Key',
    '/openapi/templates',
    { 'content-type': 'application/json', 'idempotency-key': 'late' },
    '{"name":"Late",',
    '"text":"x"}',
  ],
  [
    'a file',
    '/openapi/attachments',
    { 'content-type': 'multipart/form-data; boundary=part' },
    boundary,
    'Hello\r\n--part--\r\n',
  ],
];

describe('a request whose body is still on its way when its key is revoked', () => {
  it.each(slowBodies)('is refused and stores nothing: %s', async (_name, path, headers, start, rest) => {
    const { id, key } = await newKey();
    const finish = await begun(path, key, headers, start);
    expect(await statusOf(key)).toBe(200);
    expect(await remove(`/dashboard/api/keys/${id}`)).toBe(204);
    expect(await finish(rest)).toEqual([401, 'unauthorized']);
    const { body } = await stage.api.get<{ data: { name: string }[] }>('/openapi/templates');
    expect(body.data.filter(({ name }) => name === 'Late')).toEqual([]);
  });

  it('is answered as usual if the key is still valid', async () => {
    const { key } = await newKey();
    for (const [, path, headers, start, rest] of slowBodies) {
      expect((await (await begun(path, key, headers, start))(rest))[0]).toBe(201);
    }
  });
});

describe('an ended credential is refused as soon as the response confirms its end', () => {
  it.each(endings)('%s', async (_name, expected, end) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const app = await registerApp(stage);
      const { exchange } = await authorizedCode(stage, app, stage.owner);
      const tokens = (await token(app, exchange)).body as unknown as Tokens;
      expect(await status(tokens.access_token)).toBe(200);
      expect(await end({ app, exchange, tokens })).toBe(expected);
      expect(await status(tokens.access_token)).toBe(401);
    }
  });

  it('a key', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id, key } = await newKey();
      expect(await statusOf(key)).toBe(200);
      expect(await remove(`/dashboard/api/keys/${id}`)).toBe(204);
      expect(await statusOf(key)).toBe(401);
    }
  });
});
