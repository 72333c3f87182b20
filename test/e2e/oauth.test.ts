import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashCredential } from '../../src/core/access/api-key-format.js';
import { eventually, type Json } from '../support/api-client.js';
import { ownerBrowser } from '../support/browser.js';
import {
  type App,
  addMember,
  asPerson,
  authorizationRequest,
  authorizedCode,
  bearer,
  consent,
  type OAuthStage,
  pkce,
  REDIRECT_URI,
  refresh,
  registerApp,
  SCOPES,
  sendForm,
  shareOAuthStage,
  tokensFor,
} from '../support/oauth.js';
import { values } from '../support/people.js';

const ACCESS_TOKEN = /^tl_at_[0-9A-Za-z]{43}$/;
const REFRESH_TOKEN = /^tl_rt_[0-9A-Za-z]{43}$/;

let stage: OAuthStage;
let app: App;
let confidential: App;

beforeAll(async () => {
  stage = await shareOAuthStage();
  app = await registerApp(stage, { name: 'Sam & "Co" <app>' });
  confidential = await registerApp(stage, { type: 'confidential' });
});
afterAll(() => stage?.stop());

const authorizeUrl = (request: Record<string, string>) =>
  `${stage.service.url}/oauth/authorize?${new URLSearchParams(request)}`;

/** Opens the page as a browser does, without following redirects. */
function open(request: Record<string, string>, headers: Record<string, string> = {}, method = 'GET') {
  return fetch(authorizeUrl(request), { method, headers, redirect: 'manual' });
}

describe('an OAuth client library', () => {
  async function configuration(of: App) {
    return client.discovery(
      new URL(stage.service.url),
      of.clientId,
      undefined,
      of.secret === undefined ? client.None() : client.ClientSecretBasic(of.secret),
      { algorithm: 'oauth2', execute: [client.allowInsecureRequests] },
    );
  }

  it('discovers the server, obtains a code with PKCE, and exchanges, refreshes, inspects and revokes', async () => {
    const config = await configuration(confidential);
    const verifier = client.randomPKCECodeVerifier();
    const state = client.randomState();
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: REDIRECT_URI,
      scope: 'user.read messages.read',
      state,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    const answer = await consent(stage, stage.owner, Object.fromEntries(url.searchParams));
    const tokens = await client.authorizationCodeGrant(config, new URL(`${REDIRECT_URI}?${answer}`), {
      pkceCodeVerifier: verifier,
      expectedState: state,
    });
    expect(tokens.access_token).toMatch(ACCESS_TOKEN);
    expect(tokens.scope).toBe('user.read messages.read');
    const me = await stage.anonymous.get('/openapi/users/me', bearer(tokens.access_token));
    expect([me.status, me.body.id]).toEqual([200, stage.owner.userId]);

    const renewed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(renewed.access_token).not.toBe(tokens.access_token);
    expect(await client.tokenIntrospection(config, renewed.access_token)).toMatchObject({
      active: true,
      client_id: confidential.clientId,
      sub: stage.owner.userId,
      token_type: 'Bearer',
    });
    await client.tokenRevocation(config, renewed.refresh_token ?? '');
    expect(await client.tokenIntrospection(config, renewed.access_token)).toEqual({ active: false });
  });

  it('works without a secret, and rejects a response of another issuer', async () => {
    const config = await configuration(app);
    const verifier = client.randomPKCECodeVerifier();
    const request = authorizationRequest(app, {
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
    });
    const answer = await consent(stage, stage.owner, request);
    const checks = { pkceCodeVerifier: verifier, expectedState: 'xyz' };
    const forged = new URLSearchParams(answer);
    forged.set('iss', 'https://other.example');
    await expect(
      client.authorizationCodeGrant(config, new URL(`${REDIRECT_URI}?${forged}`), checks),
    ).rejects.toThrow();
    const unnamed = new URLSearchParams(answer);
    unnamed.delete('iss');
    await expect(
      client.authorizationCodeGrant(config, new URL(`${REDIRECT_URI}?${unnamed}`), checks),
    ).rejects.toThrow();
    const tokens = await client.authorizationCodeGrant(config, new URL(`${REDIRECT_URI}?${answer}`), checks);
    expect(tokens.refresh_token).toMatch(REFRESH_TOKEN);
  });
});

it('an app registered in the dashboard receives a grant from the user who signed in there', async () => {
  const browser = await ownerBrowser(stage.service);
  const made = await browser.must(201, 'POST', '/oauth-apps', {
    name: 'Registered',
    type: 'confidential',
    redirect_uris: [REDIRECT_URI],
    scopes: ['messages.read'],
  });
  const registered = {
    id: String(made.id),
    clientId: String(made.client_id),
    secret: String(made.client_secret),
  };
  const request = authorizationRequest(registered, { scope: 'messages.read' });
  const login = await open(request);
  expect(login.headers.get('location')).toContain('/dashboard/login?return_to=');
  const back = await fetch(new URL(login.headers.get('location') ?? '', stage.service.url), {
    headers: { cookie: browser.cookie ?? '' },
    redirect: 'manual',
  });
  const returned = new URL(back.headers.get('location') ?? '', stage.service.url);
  expect(returned.href).toBe(authorizeUrl(request));
  expect((await open(request, { cookie: browser.cookie ?? '' })).status).toBe(200);

  const person = { userId: '', cookie: browser.cookie ?? '', csrfToken: browser.csrf ?? '' };
  const tokens = await tokensFor(stage, registered, person, 'messages.read');
  expect((await stage.anonymous.get('/openapi/messages', bearer(tokens.access_token))).status).toBe(200);
  const changed = await browser.must(200, 'POST', `/oauth-apps/${registered.id}/rotate-secret`);
  const old = await sendForm(stage, '/oauth/token', refresh(registered, tokens.refresh_token));
  expect(old.body.error).toBe('invalid_client');
  const renewed = { ...registered, secret: String(changed.client_secret) };
  const answer = await sendForm(stage, '/oauth/token', refresh(renewed, tokens.refresh_token));
  expect(answer.status).toBe(200);
  await browser.must(204, 'DELETE', `/oauth-apps/${registered.id}`);
  await eventually(
    () => stage.anonymous.get('/openapi/messages', bearer(String(answer.body.access_token))),
    ({ status }) => status === 401,
  );
});

it('the metadata lists every endpoint and the supported features', async () => {
  const answer = await fetch(`${stage.service.url}/.well-known/oauth-authorization-server`);
  const issuer = stage.service.url;
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(await answer.json()).toMatchObject({
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    introspection_endpoint: `${issuer}/oauth/introspect`,
    scopes_supported: SCOPES,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  });
});

describe('the authorization page', () => {
  it('sends a visitor without session to the login page, and back afterwards', async () => {
    const request = authorizationRequest(app);
    const answer = await open(request);
    expect(answer.status).toBe(302);
    const location = answer.headers.get('location') ?? '';
    const url = new URL(location, stage.service.url);
    expect(url.pathname).toBe('/dashboard/login');
    const back = new URL(url.searchParams.get('return_to') ?? '', stage.service.url);
    expect(back.pathname).toBe('/oauth/authorize');
    expect(Object.fromEntries(back.searchParams)).toEqual(request);
    expect((await open(request, { cookie: 'tl_session=tl_ss_gone' })).status).toBe(302);
    expect((await open(request, {}, 'HEAD')).status).toBe(302);
  });

  it('makes the browser reload when another site sent it without the strict cookie', async () => {
    const answer = await open(authorizationRequest(app), { 'sec-fetch-site': 'cross-site' });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('http-equiv="refresh" content="0;url=/oauth/authorize?');
  });

  it('shows app, owner and scopes, escaped, under a strict policy', async () => {
    const request = authorizationRequest(app, { scope: 'messages.read user.read' });
    const answer = await open(request, { cookie: stage.owner.cookie });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const policy = answer.headers.get('content-security-policy') ?? '';
    for (const rule of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"])
      expect(policy).toContain(rule);
    expect(policy).toContain("form-action 'self' http://127.0.0.1:7777;");
    const page = await answer.text();
    expect(page).toContain('Sam &amp; &quot;Co&quot; &lt;app&gt;');
    const { rows } = await stage.database.pool.query<{ by: string }>(
      `SELECT format('registered by %s in %s', u.display_name, w.name) AS by
       FROM users u JOIN workspaces w ON w.id = u.workspace_id WHERE u.id = $1`,
      [stage.owner.userId],
    );
    expect(page).toContain(rows[0]?.by);
    expect(page).toContain('messages.read');
    expect(page).toContain('user.read');
    expect(page).not.toContain('messages.write');
    expect(page).not.toContain('<script');
  });

  it('accepts its form only with the CSRF token of the session', async () => {
    const request = authorizationRequest(app);
    const page = await (await open(request, { cookie: stage.owner.cookie })).text();
    const fields = Object.fromEntries(
      [...page.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
    );
    delete fields.approve;
    const answer = async (changes: Record<string, string>, headers: Record<string, string> = {}) =>
      fetch(`${stage.service.url}/oauth/authorize`, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie: stage.owner.cookie, ...headers },
        body: new URLSearchParams({ ...fields, ...changes }),
      });
    expect((await answer({ approve: 'true', csrf_token: 'guessed' })).status).toBe(403);
    expect((await answer({ approve: 'true' }, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await answer({ approve: 'true' }, { cookie: '' })).headers.get('location')).toContain('/login');

    const denied = await answer({ approve: 'false' }, { origin: stage.service.url });
    expect(denied.status).toBe(302);
    const said = new URL(denied.headers.get('location') ?? '').searchParams;
    expect([said.get('error'), said.get('state'), said.get('iss')]).toEqual([
      'access_denied',
      'xyz',
      stage.service.url,
    ]);
    const allowed = await answer({ approve: 'true' });
    const given = new URL(allowed.headers.get('location') ?? '');
    expect(given.href.startsWith(`${REDIRECT_URI}?`)).toBe(true);
    expect(given.searchParams.get('code')).toMatch(/^tl_ac_[0-9A-Za-z]{43}$/);
    expect([given.searchParams.get('state'), given.searchParams.get('iss')]).toEqual([
      'xyz',
      stage.service.url,
    ]);
  });

  it('reports every other error to the app in the redirect', async () => {
    const wrong: [Record<string, string | undefined>, string][] = [
      [{ response_type: undefined }, 'invalid_request'],
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ response_type: 'code token' }, 'unsupported_response_type'],
      [{ state: undefined }, 'invalid_request'],
      [{ state: '' }, 'invalid_request'],
      [{ state: 'x'.repeat(513) }, 'invalid_request'],
      [{ scope: undefined }, 'invalid_request'],
      [{ scope: ' ' }, 'invalid_scope'],
      [{ scope: 'messages.read admin' }, 'invalid_scope'],
      [{ scope: 'messages:read' }, 'invalid_scope'],
    ];
    for (const [change, error] of wrong) {
      const request = authorizationRequest(app, change);
      const answer = await open(request, { cookie: stage.owner.cookie });
      const said = new URL(answer.headers.get('location') ?? '', stage.service.url);
      expect([answer.status, said.origin + said.pathname, said.searchParams.get('error')]).toEqual([
        302,
        REDIRECT_URI,
        error,
      ]);
      expect(said.searchParams.get('iss')).toBe(stage.service.url);
      expect(said.searchParams.get('state') ?? '').toBe(request.state ?? '');
      expect(said.searchParams.has('code')).toBe(false);
    }
  });

  it('offers an app only the scopes it is registered for', async () => {
    const reader = await registerApp(stage, { scopes: ['messages.read'] });
    const refused = await consent(stage, stage.owner, authorizationRequest(reader));
    expect(refused.get('error')).toBe('invalid_scope');
    const scope = 'messages.read';
    expect((await consent(stage, stage.owner, authorizationRequest(reader, { scope }))).has('code')).toBe(
      true,
    );
  });
});

describe('the token endpoint', () => {
  it('exchanges a code for tokens that are stored as hashes', async () => {
    const { exchange, code } = await authorizedCode(stage, app, stage.owner, 'messages.write messages.read');
    const answer = await sendForm(stage, '/oauth/token', exchange);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.body).toEqual({
      access_token: expect.stringMatching(ACCESS_TOKEN),
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: expect.stringMatching(REFRESH_TOKEN),
      scope: 'messages.read messages.write',
    });
    const stored = await values<Buffer>(
      stage.database.pool,
      'SELECT hash FROM oauth_tokens UNION ALL SELECT code_hash FROM oauth_grants',
    );
    for (const text of [code, answer.body.access_token, answer.body.refresh_token])
      expect(stored.some((hash) => hash.equals(hashCredential(String(text))))).toBe(true);
    const lives = await values<number>(
      stage.database.pool,
      `SELECT extract(epoch FROM expires_at - created_at)::int FROM oauth_tokens WHERE hash = ANY ($1) ORDER BY 1`,
      [[hashCredential(String(answer.body.access_token)), hashCredential(String(answer.body.refresh_token))]],
    );
    expect(lives).toEqual([3_600, 30 * 86_400]);
  });

  it('reports errors in the terms of RFC 6749', async () => {
    const { exchange } = await authorizedCode(stage, app, stage.owner);
    const { exchange: ofSecret } = await authorizedCode(stage, confidential, stage.owner);
    const wrong: [Record<string, string | undefined>, number, string][] = [
      [{ ...exchange, grant_type: undefined }, 400, 'invalid_request'],
      [{ ...exchange, grant_type: 'password', username: 'a', password: 'b' }, 400, 'unsupported_grant_type'],
      [{ ...exchange, grant_type: 'client_credentials' }, 400, 'unsupported_grant_type'],
      [{ ...exchange, code: undefined }, 400, 'invalid_request'],
      [{ ...exchange, redirect_uri: undefined }, 400, 'invalid_request'],
      [{ ...exchange, code_verifier: undefined }, 400, 'invalid_request'],
      [{ ...exchange, code: 'tl_ac_nothing' }, 400, 'invalid_grant'],
      [{ ...exchange, code: `tl_ac_${'0'.repeat(43)}` }, 400, 'invalid_grant'],
      [{ ...exchange, code_verifier: 'short' }, 400, 'invalid_grant'],
      [{ ...exchange, code_verifier: pkce().verifier }, 400, 'invalid_grant'],
      [{ ...exchange, redirect_uri: `${REDIRECT_URI}/` }, 400, 'invalid_grant'],
      [{ ...exchange, client_id: undefined }, 401, 'invalid_client'],
      [{ ...exchange, client_id: 'nobody' }, 401, 'invalid_client'],
      [{ ...exchange, client_id: app.id }, 401, 'invalid_client'],
      [{ ...exchange, client_secret: 'public apps have none' }, 401, 'invalid_client'],
      [{ ...ofSecret, client_secret: undefined }, 401, 'invalid_client'],
      [{ ...ofSecret, client_secret: 'guessed' }, 401, 'invalid_client'],
      [refresh(app, 'tl_rt_nothing') as Record<string, string>, 400, 'invalid_grant'],
      [{ grant_type: 'refresh_token', client_id: app.clientId }, 400, 'invalid_request'],
    ];
    for (const [fields, status, error] of wrong) {
      const answer = await sendForm(stage, '/oauth/token', fields);
      expect([answer.status, answer.body.error], JSON.stringify(fields)).toEqual([status, error]);
      expect(Object.keys(answer.body)).toEqual(['error', 'error_description', 'message']);
      expect(answer.body.message).toBe(answer.body.error_description);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      if (status === 401) expect(answer.headers.get('www-authenticate')).toMatch(/^Basic /);
    }
    // None of these requests used the code up.
    expect((await sendForm(stage, '/oauth/token', exchange)).status).toBe(200);
  });

  it('accepts forms only, each field once', async () => {
    const { exchange } = await authorizedCode(stage, app, stage.owner);
    const send = async (body: string, type: string) => {
      const answer = await fetch(`${stage.service.url}/oauth/token`, {
        method: 'POST',
        headers: { 'content-type': type },
        body,
      });
      return [answer.status, ((await answer.json()) as Json).error];
    };
    const form = new URLSearchParams(exchange as Record<string, string>).toString();
    expect(await send(JSON.stringify(exchange), 'application/json')).toEqual([400, 'invalid_request']);
    expect(await send(`${form}&client_id=${app.clientId}`, 'application/x-www-form-urlencoded')).toEqual([
      400,
      'invalid_request',
    ]);
    expect(await send(`x=${'y'.repeat(70_000)}`, 'application/x-www-form-urlencoded')).toEqual([
      400,
      'invalid_request',
    ]);
    expect((await fetch(`${stage.service.url}/oauth/token?${form}`)).status).toBe(404);
  });

  it('authenticates a confidential app by HTTP Basic, and refuses two methods at once', async () => {
    const { exchange } = await authorizedCode(stage, confidential, stage.owner);
    const basic = (secret = confidential.secret) => ({
      authorization: `Basic ${Buffer.from(`${confidential.clientId}:${secret}`).toString('base64')}`,
    });
    const { client_secret: _, ...open } = exchange;
    expect((await sendForm(stage, '/oauth/token', open, basic('guessed'))).body.error).toBe('invalid_client');
    expect((await sendForm(stage, '/oauth/token', open, { authorization: 'Basic !' })).body.error).toBe(
      'invalid_client',
    );
    expect((await sendForm(stage, '/oauth/token', exchange, basic())).body.error).toBe('invalid_request');
    expect((await sendForm(stage, '/oauth/token', { ...open, client_id: undefined }, basic())).status).toBe(
      200,
    );
  });

  it('narrows only the access token when a refresh requests fewer scopes, and never widens it', async () => {
    const first = await tokensFor(stage, app, stage.owner, 'messages.read user.read');
    const wider = await sendForm(
      stage,
      '/oauth/token',
      refresh(app, first.refresh_token, { scope: 'messages.read messages.write' }),
    );
    expect([wider.status, wider.body.error]).toEqual([400, 'invalid_scope']);
    const narrow = await sendForm(
      stage,
      '/oauth/token',
      refresh(app, first.refresh_token, { scope: 'user.read' }),
    );
    expect([narrow.status, narrow.body.scope]).toEqual([200, 'user.read']);
    const whole = await sendForm(stage, '/oauth/token', refresh(app, String(narrow.body.refresh_token)));
    expect([whole.status, whole.body.scope]).toEqual([200, 'user.read messages.read']);
  });

  it('refuses expired codes and tokens', async () => {
    const { exchange, code } = await authorizedCode(stage, app, stage.owner);
    await stage.database.pool.query(
      `UPDATE oauth_grants SET code_expires_at = now() - interval '1 ms' WHERE code_hash = $1`,
      [hashCredential(code)],
    );
    expect((await sendForm(stage, '/oauth/token', exchange)).body.error).toBe('invalid_grant');
    const tokens = await tokensFor(stage, app, stage.owner);
    await stage.database.pool.query(
      `UPDATE oauth_tokens SET expires_at = now() - interval '1 ms' WHERE hash = ANY ($1)`,
      [[hashCredential(tokens.access_token), hashCredential(tokens.refresh_token)]],
    );
    const late = await sendForm(stage, '/oauth/token', refresh(app, tokens.refresh_token));
    expect([late.status, late.body.error]).toEqual([400, 'invalid_grant']);
    expect((await stage.anonymous.get('/openapi/status', bearer(tokens.access_token))).status).toBe(401);
  });

  it('ends a grant at the latest 180 days after it was given', async () => {
    const tokens = await tokensFor(stage, app, stage.owner);
    await stage.database.pool.query(
      `UPDATE oauth_grants SET created_at = now() - interval '179 days'
       WHERE id = (SELECT grant_id FROM oauth_tokens WHERE hash = $1)`,
      [hashCredential(tokens.refresh_token)],
    );
    const answer = await sendForm(stage, '/oauth/token', refresh(app, tokens.refresh_token));
    const [left] = await values<number>(
      stage.database.pool,
      `SELECT round(extract(epoch FROM expires_at - now()) / 3600)::int FROM oauth_tokens WHERE hash = $1`,
      [hashCredential(String(answer.body.refresh_token))],
    );
    expect(left).toBe(24);
  });
});

describe('token revocation', () => {
  const works = async (token: string) =>
    (await stage.anonymous.get('/openapi/status', bearer(token))).status === 200;

  it('ends only the token for an access token, and the whole grant for a refresh token', async () => {
    const tokens = await tokensFor(stage, app, stage.owner);
    const other = await tokensFor(stage, app, stage.owner);
    expect(await works(tokens.access_token)).toBe(true);
    const own = { client_id: app.clientId };
    const answer = await sendForm(stage, '/oauth/revoke', { token: tokens.access_token, ...own });
    expect([answer.status, answer.body]).toEqual([200, {}]);
    await eventually(
      () => works(tokens.access_token),
      (ok) => !ok,
    );
    const renewed = await sendForm(stage, '/oauth/token', refresh(app, tokens.refresh_token));
    expect(await works(String(renewed.body.access_token))).toBe(true);
    const hint = { token_type_hint: 'access_token' };
    await sendForm(stage, '/oauth/revoke', { token: String(renewed.body.refresh_token), ...own, ...hint });
    await eventually(
      () => works(String(renewed.body.access_token)),
      (ok) => !ok,
    );
    expect(await works(other.access_token)).toBe(true);
  });

  it('does nothing to an unknown or foreign token, and requires authentication', async () => {
    const tokens = await tokensFor(stage, app, stage.owner);
    const foreign = { client_id: confidential.clientId, client_secret: confidential.secret };
    for (const token of ['nonsense', tokens.access_token, tokens.refresh_token]) {
      expect((await sendForm(stage, '/oauth/revoke', { token, ...foreign })).status).toBe(200);
    }
    expect(await works(tokens.access_token)).toBe(true);
    const nobody = await sendForm(stage, '/oauth/revoke', { token: tokens.access_token });
    expect([nobody.status, nobody.body.error]).toEqual([401, 'invalid_client']);
    const nothing = await sendForm(stage, '/oauth/revoke', { client_id: app.clientId });
    expect([nothing.status, nothing.body.error]).toEqual([400, 'invalid_request']);
    expect((await sendForm(stage, '/oauth/token', refresh(app, tokens.refresh_token))).status).toBe(200);
  });
});

describe('token introspection', () => {
  const ask = (token: string, of: App = confidential) =>
    sendForm(stage, '/oauth/introspect', { token, client_id: of.clientId, client_secret: of.secret });

  it('describes own valid tokens to confidential apps', async () => {
    const tokens = await tokensFor(stage, confidential, stage.owner, 'messages.read');
    const { body } = await ask(tokens.access_token);
    expect(body).toEqual({
      active: true,
      scope: 'messages.read',
      client_id: confidential.clientId,
      sub: stage.owner.userId,
      exp: expect.any(Number),
      iat: expect.any(Number),
      token_type: 'Bearer',
    });
    expect(Number(body.exp) - Number(body.iat)).toBe(3_600);
    expect((await ask(tokens.refresh_token)).body.active).toBe(true);
    await sendForm(stage, '/oauth/token', refresh(confidential, tokens.refresh_token));
    expect((await ask(tokens.refresh_token)).body).toEqual({ active: false });
  });

  it('returns only inactive for unknown and foreign tokens, and refuses public apps', async () => {
    const foreign = await tokensFor(stage, app, stage.owner);
    expect((await ask('nonsense')).body).toEqual({ active: false });
    expect((await ask(foreign.access_token)).body).toEqual({ active: false });
    const answer = await ask(foreign.access_token, app);
    expect([answer.status, answer.body.error]).toEqual([401, 'invalid_client']);
  });
});

describe('OAuth in the dashboard', () => {
  it('requires the session and its token, a known app, and a decision for consent', async () => {
    const request = authorizationRequest(app);
    const post = (body: Json, headers = asPerson(stage.owner)) =>
      stage.anonymous.post('/dashboard/api/oauth/consent', body, { headers });
    expect((await post({ ...request, approve: true }, { 'x-api-key': undefined })).status).toBe(401);
    expect(
      (await post({ ...request, approve: true }, { ...asPerson(stage.owner), 'x-csrf-token': undefined }))
        .status,
    ).toBe(403);
    const wrong: [Json, string, string][] = [
      [request, 'approve', 'required'],
      [{ ...request, approve: 'yes' }, 'approve', 'invalid_type'],
      [{ ...request, client_id: app.id, approve: true }, 'client_id', 'invalid_value'],
      [{ ...request, redirect_uri: 'https://evil.example', approve: true }, 'redirect_uri', 'invalid_value'],
    ];
    for (const [body, field, code] of wrong) {
      const answer = await post(body);
      expect(answer.status).toBe(400);
      expect((answer.body.details as { fields: Json[] }).fields).toMatchObject([{ field, code }]);
    }
    const denied = await consent(stage, stage.owner, request, false);
    expect(denied.get('error')).toBe('access_denied');
  });

  it('lists grants only for their user, and ends them with all their tokens', async () => {
    const person = await addMember(stage);
    const tokens = await tokensFor(stage, app, person, 'user.read');
    const list = await stage.anonymous.get<{ data: Json[] }>('/dashboard/api/oauth/grants', {
      headers: asPerson(person),
    });
    expect(list.status).toBe(200);
    expect(list.body.data).toMatchObject([
      { app: { id: app.id, client_id: app.clientId, name: 'Sam & "Co" <app>' }, scopes: ['user.read'] },
    ]);
    const path = `/dashboard/api/oauth/grants/${list.body.data[0]?.id}`;
    expect((await stage.anonymous.get('/openapi/status', bearer(tokens.access_token))).status).toBe(200);
    expect((await stage.anonymous.delete(path, { headers: asPerson(stage.owner) })).status).toBe(404);
    expect((await stage.anonymous.delete(path, { headers: asPerson(person) })).status).toBe(204);
    await eventually(
      () => stage.anonymous.get('/openapi/status', bearer(tokens.access_token)),
      ({ status }) => status === 401,
    );
    expect((await sendForm(stage, '/oauth/token', refresh(app, tokens.refresh_token))).body.error).toBe(
      'invalid_grant',
    );
    expect((await stage.anonymous.delete(path, { headers: asPerson(person) })).status).toBe(404);
    const after = await stage.anonymous.get<{ data: Json[] }>('/dashboard/api/oauth/grants', {
      headers: asPerson(person),
    });
    expect(after.body.data).toEqual([]);
  });
});
