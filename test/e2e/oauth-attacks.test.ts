import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/api-client.js';
import {
  type Answer,
  type App,
  addMember,
  asPerson,
  authorizationRequest,
  authorizedCode,
  bearer,
  consent,
  type OAuthStage,
  type Person,
  pkce,
  REDIRECT_URI,
  refresh,
  registerApp,
  sendForm,
  shareOAuthStage,
  type Tokens,
  tokensFor,
} from '../support/oauth.js';

let stage: OAuthStage;
let app: App;
let person: Person;

beforeAll(async () => {
  stage = await shareOAuthStage();
  app = await registerApp(stage, {
    redirectUris: [REDIRECT_URI, 'https://app.example/cb?tenant=7', 'http://[::1]:7777/cb'],
  });
  person = await addMember(stage);
});
afterAll(() => stage?.stop());

const open = (request: Record<string, string> | string) => {
  const query = typeof request === 'string' ? request : new URLSearchParams(request).toString();
  return fetch(`${stage.service.url}/oauth/authorize?${query}`, {
    headers: { cookie: stage.owner.cookie },
    redirect: 'manual',
  });
};
const status = async (token: string) => (await stage.anonymous.get('/openapi/status', bearer(token))).status;
const refused = (token: string) =>
  eventually(
    () => status(token),
    (seen) => seen === 401,
  );
const outcome = ({ status, body }: Answer) => [status, body.error];

describe('PKCE can’t be bypassed', () => {
  it.each([
    ['no challenge', { code_challenge: undefined }],
    ['no challenge and no method', { code_challenge: undefined, code_challenge_method: undefined }],
    ['no method', { code_challenge_method: undefined }],
    ['the method plain', { code_challenge_method: 'plain' }],
    ['the method s256', { code_challenge_method: 's256' }],
    ['a short challenge', { code_challenge: 'x'.repeat(42) }],
    ['a long challenge', { code_challenge: 'x'.repeat(129) }],
    ['a challenge of other characters', { code_challenge: `${'x'.repeat(42)}=` }],
  ])('a request with %s is refused', async (_what, change) => {
    const request = authorizationRequest(app, change);
    const answer = await open(request);
    const said = new URL(answer.headers.get('location') ?? '').searchParams;
    expect([answer.status, said.get('error'), said.get('state')]).toEqual([302, 'invalid_request', 'xyz']);
    const inDashboard = await consent(stage, stage.owner, request);
    expect([inDashboard.get('error'), inDashboard.has('code')]).toEqual(['invalid_request', false]);
  });

  it('the challenge is not accepted as the verifier', async () => {
    const { verifier, challenge } = pkce();
    const request = authorizationRequest(app, { code_challenge: challenge });
    const code = (await consent(stage, person, request)).get('code') ?? '';
    const form = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT_URI,
      client_id: app.clientId,
    };
    const plain = await sendForm(stage, '/oauth/token', { ...form, code_verifier: challenge });
    expect(outcome(plain)).toEqual([400, 'invalid_grant']);
    expect((await sendForm(stage, '/oauth/token', { ...form, code_verifier: verifier })).status).toBe(200);
  });
});

describe('a stolen code', () => {
  it('is useless without the verifier of its own request', async () => {
    const victim = await authorizedCode(stage, app, person);
    const attacker = await authorizedCode(stage, app, stage.owner);
    const injected = { ...attacker.exchange, code: victim.code };
    expect(outcome(await sendForm(stage, '/oauth/token', injected))).toEqual([400, 'invalid_grant']);
  });

  it('is useless to another app and at another registered address', async () => {
    const other = await registerApp(stage, { type: 'confidential' });
    const { exchange } = await authorizedCode(stage, app, person);
    const foreign = { ...exchange, client_id: other.clientId, client_secret: other.secret };
    expect(outcome(await sendForm(stage, '/oauth/token', foreign))).toEqual([400, 'invalid_grant']);
    const elsewhere = { ...exchange, redirect_uri: 'https://app.example/cb?tenant=7' };
    expect(outcome(await sendForm(stage, '/oauth/token', elsewhere))).toEqual([400, 'invalid_grant']);
    expect((await sendForm(stage, '/oauth/token', exchange)).status).toBe(200);
  });

  it('ends all tokens that were issued for it when it is used again', async () => {
    const { exchange } = await authorizedCode(stage, app, person);
    const first = (await sendForm(stage, '/oauth/token', exchange)).body as unknown as Tokens;
    const second = (await sendForm(stage, '/oauth/token', refresh(app, first.refresh_token)))
      .body as unknown as Tokens;
    expect(await status(first.access_token)).toBe(200);
    expect(await status(second.access_token)).toBe(200);
    expect(outcome(await sendForm(stage, '/oauth/token', exchange))).toEqual([400, 'invalid_grant']);
    await refused(first.access_token);
    await refused(second.access_token);
    const renewed = await sendForm(stage, '/oauth/token', refresh(app, second.refresh_token));
    expect(outcome(renewed)).toEqual([400, 'invalid_grant']);
  });

  it('succeeds for one of many parallel uses, and then never again', async () => {
    const { exchange } = await authorizedCode(stage, app, person);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => sendForm(stage, '/oauth/token', exchange)),
    );
    const won = answers.filter((answer) => answer.status === 200);
    expect(won).toHaveLength(1);
    expect(answers.filter((answer) => answer.body.error === 'invalid_grant')).toHaveLength(7);
    await refused(String(won[0]?.body.access_token));
  });
});

describe('a stolen refresh token', () => {
  it('ends its grant when it is used after its rotation, and no other grant', async () => {
    const tokens = await tokensFor(stage, app, person);
    const bystander = await tokensFor(stage, app, person);
    const rotated = (await sendForm(stage, '/oauth/token', refresh(app, tokens.refresh_token)))
      .body as unknown as Tokens;
    const again = await sendForm(stage, '/oauth/token', refresh(app, tokens.refresh_token));
    expect(outcome(again)).toEqual([400, 'invalid_grant']);
    await refused(rotated.access_token);
    await refused(tokens.access_token);
    expect(outcome(await sendForm(stage, '/oauth/token', refresh(app, rotated.refresh_token)))).toEqual([
      400,
      'invalid_grant',
    ]);
    expect(await status(bystander.access_token)).toBe(200);
  });

  it('succeeds for one of many parallel uses', async () => {
    const tokens = await tokensFor(stage, app, person);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => sendForm(stage, '/oauth/token', refresh(app, tokens.refresh_token))),
    );
    const won = answers.filter((answer) => answer.status === 200);
    expect(won).toHaveLength(1);
    await refused(String(won[0]?.body.access_token));
    await refused(tokens.access_token);
  });

  it('is useless to another app', async () => {
    const other = await registerApp(stage);
    const tokens = await tokensFor(stage, app, person);
    const stolen = await sendForm(stage, '/oauth/token', refresh(other, tokens.refresh_token));
    expect(outcome(stolen)).toEqual([400, 'invalid_grant']);
    expect((await sendForm(stage, '/oauth/token', refresh(app, tokens.refresh_token))).status).toBe(200);
  });

  it('is not an access token, and vice versa', async () => {
    const tokens = await tokensFor(stage, app, person);
    expect(await status(tokens.refresh_token)).toBe(401);
    expect(outcome(await sendForm(stage, '/oauth/token', refresh(app, tokens.access_token)))).toEqual([
      400,
      'invalid_grant',
    ]);
  });
});

describe('the user is never redirected to an address that is not registered', () => {
  it.each([
    `${REDIRECT_URI}/`,
    `${REDIRECT_URI}?x=1`,
    `${REDIRECT_URI}#x`,
    `${REDIRECT_URI}/../callback`,
    'http://127.0.0.1:7778/callback',
    'http://127.0.0.1/callback',
    'http://localhost:7777/callback',
    'HTTP://127.0.0.1:7777/callback',
    'http://127.0.0.1:7777/CALLBACK',
    'http://127.0.0.1:7777/%63allback',
    'http://127.0.0.1:7777@evil.example/callback',
    'https://app.example/cb',
    'https://app.example/cb?tenant=8',
    'https://app.example.evil.example/cb?tenant=7',
    'javascript:alert(1)',
    '//evil.example',
    '',
  ])('%s', async (uri) => {
    const answer = await open(authorizationRequest(app, { redirect_uri: uri }));
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const page = await answer.text();
    expect(page).not.toContain('evil');
  });

  it('nor for an unknown app, one of another workspace, or a parameter sent twice', async () => {
    const request = new URLSearchParams(authorizationRequest(app)).toString();
    const evil = encodeURIComponent('https://evil.example/');
    for (const query of [
      new URLSearchParams(authorizationRequest(app, { client_id: app.id })).toString(),
      new URLSearchParams(authorizationRequest(app, { client_id: undefined })).toString(),
      new URLSearchParams(authorizationRequest(app, { redirect_uri: undefined })).toString(),
      `${request}&redirect_uri=${evil}`,
      `redirect_uri=${evil}&${request}`,
      `${request}&client_id=${app.clientId}`,
    ]) {
      const answer = await open(query);
      expect([answer.status, answer.headers.get('location')], query).toEqual([400, null]);
    }
    const { pool } = stage.database;
    const { rows } = await pool.query<{ id: string }>(`SELECT (create_workspace(uuid7(), 'Other')).id`);
    const foreign = await registerApp({ ...stage, workspaceId: rows[0]?.id ?? '' });
    expect((await open(authorizationRequest(foreign))).status).toBe(400);
  });

  it('an unknown app receives an error even without a session', async () => {
    const query = new URLSearchParams(authorizationRequest(app, { redirect_uri: 'https://evil.example' }));
    const answer = await fetch(`${stage.service.url}/oauth/authorize?${query}`, { redirect: 'manual' });
    expect(answer.status).toBe(400);
  });

  it('other parameters sent twice are reported to the app', async () => {
    const answer = await open(`${new URLSearchParams(authorizationRequest(app))}&scope=calls.read`);
    expect(new URL(answer.headers.get('location') ?? '').searchParams.get('error')).toBe('invalid_request');
  });

  it('a registered address keeps its own query', async () => {
    const uri = 'https://app.example/cb?tenant=7';
    const answer = await open(authorizationRequest(app, { redirect_uri: uri, response_type: 'token' }));
    const location = answer.headers.get('location') ?? '';
    expect(location.startsWith(`${uri}&error=unsupported_response_type&`)).toBe(true);
    const ipv6 = await open(authorizationRequest(app, { redirect_uri: 'http://[::1]:7777/cb' }));
    expect(ipv6.headers.get('content-security-policy')).toContain("form-action 'self' http:;");
  });
});

describe('a lost permission also ends the access of apps', () => {
  it('a suspended user’s grants end at once, and stay ended after reactivation', async () => {
    const leaver = await addMember(stage);
    const tokens = await tokensFor(stage, app, leaver);
    const { exchange } = await authorizedCode(stage, app, leaver);
    expect(await status(tokens.access_token)).toBe(200);
    const setStatus = (to: string) =>
      stage.database.pool.query('UPDATE users SET status = $2 WHERE id = $1', [leaver.userId, to]);
    await setStatus('suspended');
    await refused(tokens.access_token);
    expect((await sendForm(stage, '/oauth/token', exchange)).body.error).toBe('invalid_grant');
    await setStatus('active');
    expect(await status(tokens.access_token)).toBe(401);
    expect((await sendForm(stage, '/oauth/token', refresh(app, tokens.refresh_token))).body.error).toBe(
      'invalid_grant',
    );
  });

  it('an app that is removed, or whose scopes are reduced, loses the access', async () => {
    const shrinking = await registerApp(stage);
    const tokens = await tokensFor(stage, shrinking, person);
    const read = () => stage.anonymous.get('/openapi/messages', bearer(tokens.access_token));
    expect((await read()).status).toBe(200);
    const { pool } = stage.database;
    await pool.query(`UPDATE oauth_apps SET scopes = '{user.read}' WHERE id = $1`, [shrinking.id]);
    await eventually(read, (answer) => answer.status === 403);
    await pool.query('DELETE FROM oauth_apps WHERE id = $1', [shrinking.id]);
    await refused(tokens.access_token);
    expect((await sendForm(stage, '/oauth/token', refresh(shrinking, tokens.refresh_token))).status).toBe(
      401,
    );
  });

  it('a viewer can grant read access only, and so can a user who becomes one', async () => {
    const viewer = await addMember(stage, 'viewer');
    expect((await tokensFor(stage, app, viewer)).scope).toBe('user.read messages.read calls.read');
    const refusal = await consent(stage, viewer, authorizationRequest(app, { scope: 'messages.write' }));
    expect(refusal.get('error')).toBe('access_denied');
    const demoted = await addMember(stage);
    const tokens = await tokensFor(stage, app, demoted);
    const send = () => stage.anonymous.post('/openapi/messages', { text: 'x' }, bearer(tokens.access_token));
    expect((await send()).status).toBe(400);
    await stage.database.pool.query(`UPDATE users SET role = 'viewer' WHERE id = $1`, [demoted.userId]);
    await eventually(send, (answer) => answer.status === 403);
  });

  it('a forged consent of another session is refused', async () => {
    const answer = await stage.anonymous.post(
      '/dashboard/api/oauth/consent',
      { ...authorizationRequest(app), approve: true },
      { headers: { ...asPerson(person), 'x-csrf-token': stage.owner.csrfToken } },
    );
    expect(answer.status).toBe(403);
  });
});
