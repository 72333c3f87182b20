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
      const { body } = await stage.anonymous.post<{ id: string; key: string }>(
        '/dashboard/api/keys',
        { name: 'Short-lived' },
        { headers: asPerson(stage.owner) },
      );
      const read = async () =>
        (await stage.anonymous.get('/openapi/status', { headers: { 'x-api-key': body.key } })).status;
      expect(await read()).toBe(200);
      expect(await remove(`/dashboard/api/keys/${body.id}`)).toBe(204);
      expect(await read()).toBe(401);
    }
  });
});
