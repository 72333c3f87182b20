import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fieldsOf, type Json, reasonOf } from '../support/api-client.js';
import { Browser, invite, ownerBrowser } from '../support/browser.js';
import { type Service, startService } from '../support/service.js';
import { OWNER_EMAIL, OWNER_PASSWORD } from '../support/service-process.js';

let service: Service;
let owner: Browser;

const signIn = (email: string, password: string, more: Json = {}) =>
  new Browser(service).post('/session', { email, password, ...more });

beforeAll(async () => {
  service = await startService();
  owner = await ownerBrowser(service);
});
afterAll(() => service?.stop());

describe('signing in to the dashboard', () => {
  it('returns the user, the workspace and the role, and GET returns the same', async () => {
    const browser = new Browser(service);
    const session = await browser.signIn();
    expect(session).toEqual({
      user: expect.objectContaining({ email: OWNER_EMAIL, kind: 'member', status: 'active' }),
      workspace: {
        id: expect.any(String),
        name: 'Default',
        plan: 'unlimited',
        opt_out_keywords: expect.arrayContaining(['STOP']),
        test_workspace_id: expect.any(String),
      },
      role: 'owner',
      operator: true,
      csrf_token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
    });
    expect(await browser.must(200, 'GET', '/session')).toEqual(session);
    const { id } = session.workspace as Json;
    await new Browser(service).signIn(OWNER_EMAIL.toUpperCase(), OWNER_PASSWORD, { workspace_id: id });
  });

  it('sets a cookie that scripts and other sites can’t read', async () => {
    const answer = await signIn(OWNER_EMAIL, OWNER_PASSWORD);
    const [cookie = ''] = answer.headers['set-cookie'] ?? [];
    const [value, ...attributes] = cookie.split('; ');
    expect(value).toMatch(/^tl_session=tl_ss_[0-9A-Za-z]{43}$/);
    expect(attributes.sort()).toEqual(['HttpOnly', 'Path=/', 'SameSite=Strict']);
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('is refused in the same way for a wrong password, an unknown address and another workspace', async () => {
    const elsewhere = { workspace_id: '019b76da-a800-7000-8000-000000000001' };
    const answers = await Promise.all([
      signIn(OWNER_EMAIL, 'wrong horse battery'),
      signIn('nobody@example.test', OWNER_PASSWORD),
      signIn('no address', 'x'),
      signIn(OWNER_EMAIL, OWNER_PASSWORD, elsewhere),
    ]);
    const refusal = { error: 'unauthorized', message: 'Missing or invalid credentials.' };
    for (const { status, body, headers } of answers) {
      expect([status, body]).toEqual([401, refusal]);
      expect(headers['set-cookie']).toBeUndefined();
    }
  });

  it('requires an address and a password', async () => {
    expect(fieldsOf(await new Browser(service).post('/session', {}))).toEqual([
      ['email', 'required'],
      ['password', 'required'],
    ]);
    expect(fieldsOf(await signIn(OWNER_EMAIL, OWNER_PASSWORD, { workspace_id: 'x' }))).toEqual([
      ['workspace_id', 'invalid_format'],
    ]);
    expect(fieldsOf(await new Browser(service).post('/session', 'email=x'))).toEqual([['', 'malformed']]);
  });

  it('starts a new session and ends the previous one of the browser', async () => {
    const browser = await ownerBrowser(service);
    const before = browser.cookie;
    await browser.signIn();
    expect(browser.cookie).not.toBe(before);
    expect((await browser.get('/session')).status).toBe(200);
    browser.cookie = before;
    expect((await browser.get('/session')).status).toBe(401);
  });

  it('is refused for a while after ten failures of an account at an address', async () => {
    const { email, password } = await invite(service, owner, 'throttled');
    const wrong = await Promise.all(Array.from({ length: 14 }, () => signIn(email, 'wrong')));
    const of = (status: number) => wrong.filter((answer) => answer.status === status);
    expect([of(401).length, of(429).length]).toEqual([10, 4]);
    const refused = await signIn(email.toUpperCase(), password);
    expect([refused.status, refused.body.error]).toEqual([429, 'rate_limit_exceeded']);
    const { limit, reset } = refused.body.details as { limit: number; reset: number };
    expect(limit).toBe(10);
    expect(reset - Date.now() / 1_000).toBeGreaterThan(600);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(901);
    expect((await signIn(OWNER_EMAIL, OWNER_PASSWORD)).status).toBe(200);
  });

  it('does not count successful attempts', async () => {
    const { email, password } = await invite(service, owner, 'diligent');
    for (let times = 0; times < 12; times += 1) expect((await signIn(email, password)).status).toBe(200);
  });
});

describe('a session', () => {
  it('ends with signing out, which clears the cookie', async () => {
    const browser = await ownerBrowser(service);
    const { cookie } = browser;
    const answer = await browser.delete('/session');
    expect(answer.status).toBe(204);
    expect(answer.headers['set-cookie']?.[0]).toMatch(/^tl_session=; Max-Age=0; .*Path=\//);
    browser.cookie = cookie;
    expect((await browser.get('/session')).status).toBe(401);
    expect((await browser.delete('/session')).status).toBe(401);
  });

  it('is required by everything except its start', async () => {
    const stranger = new Browser(service);
    for (const path of [
      '/session',
      '/keys',
      '/members',
      '/oauth-apps',
      '/workspace',
      '/openapi/messages',
      '/nope',
    ])
      expect([path, (await stranger.get(path)).status]).toEqual([path, 401]);
    stranger.cookie = 'tl_session=tl_ss_0000000000000000000000000000000000000000000';
    expect((await stranger.get('/session')).status).toBe(401);
    expect((await stranger.send('GET', '/session', { headers: { 'x-api-key': service.key } })).status).toBe(
      401,
    );
  });

  it('gives no access to the interface of keys', async () => {
    const headers = { cookie: owner.cookie, 'x-api-key': undefined };
    expect((await service.client().get('/openapi/users/me', { headers })).status).toBe(401);
  });

  it('requires its CSRF token for every change', async () => {
    const browser = await ownerBrowser(service);
    const right = browser.csrf;
    for (const token of [undefined, '', 'x', (await ownerBrowser(service)).csrf]) {
      browser.csrf = token;
      for (const [method, path] of [
        ['DELETE', '/session'],
        ['POST', '/keys'],
        ['PATCH', '/workspace'],
        ['POST', '/openapi/users'],
        ['DELETE', '/openapi/nothing'],
      ] as const) {
        const answer = await browser.send(method, path, { body: {} });
        expect([method, path, answer.status, answer.body.error]).toEqual([
          method,
          path,
          403,
          'access_denied',
        ]);
        expect(answer.body.details).toEqual({ required: ['X-CSRF-Token'], provided: [] });
      }
      expect((await browser.get('/session')).status).toBe(200);
      expect((await browser.send('HEAD', '/session')).status).toBe(200);
      browser.csrf = right;
    }
    expect((await browser.get('/session')).body.csrf_token).toBe(right);
  });

  it('refuses pages of another origin', async () => {
    const { host } = new URL(service.url);
    const from = (origin: string, method = 'GET', path = '/session', body?: Json) =>
      owner.send(method, path, { headers: { origin }, body });
    for (const origin of [
      'https://evil.example',
      'null',
      `http://${host}.evil.example`,
      `${service.url}/`,
      '',
    ]) {
      const answer = await from(origin);
      expect([origin, answer.status, answer.body.error]).toEqual([origin, 403, 'access_denied']);
    }
    const credentials = { email: OWNER_EMAIL, password: OWNER_PASSWORD };
    expect((await from('https://evil.example', 'POST', '/session', credentials)).status).toBe(403);
    expect((await from('https://evil.example', 'POST', '/setup', {})).status).toBe(403);
    expect((await from(service.url)).status).toBe(200);
    expect((await from(`http://${host}`)).status).toBe(200);
    expect((await from(service.url, 'POST', '/session', credentials)).status).toBe(200);
  });
});

describe('setup', () => {
  it('is over once a user exists', async () => {
    const body = { email: 'late@example.test', password: 'long enough', display_name: 'Late' };
    const answer = await new Browser(service).post('/setup', body);
    expect([reasonOf(answer), (answer.body.details as Json).current]).toEqual(['invalid_state', 'set_up']);
    expect(
      fieldsOf(
        await new Browser(service).post('/setup', { email: 'x', password: 'short', display_name: '' }),
      ),
    ).toEqual([
      ['email', 'invalid_format'],
      ['password', 'too_short'],
      ['display_name', 'too_short'],
    ]);
  });
});

describe('the REST interface with a session', () => {
  it('is available to the signed-in user, and lists link to its paths', async () => {
    const browser = await ownerBrowser(service);
    const me = await browser.must(200, 'GET', '/openapi/users/me');
    expect(me).toEqual(((await browser.get('/session')).body as Json).user);
    const contact = await browser.must(201, 'POST', '/openapi/users', { display_name: 'Ann' });
    expect((await service.client().get(`/openapi/users/${contact.id}`)).body).toEqual(contact);
    const list = await browser.must<Json>(200, 'GET', '/openapi/users?limit=1');
    expect((list.links as Json).first).toBe('/dashboard/api/openapi/users?page=1&limit=1');
    const hooks = await browser.must<Json>(200, 'GET', '/api/webhooks');
    expect(hooks.data).toEqual([]);
    const second = await browser.must<Json>(200, 'GET', '/openapi/users?version=2.0');
    expect(Object.keys(second)).toEqual(['data', 'pagination']);
    expect((await browser.get('/nope')).status).toBe(404);
    expect((await browser.get('/openapi/nope')).status).toBe(404);
  });

  it('returns the headers of an unlimited key, and supports idempotent requests', async () => {
    const browser = await ownerBrowser(service);
    const send = () =>
      browser.send('POST', '/openapi/users', {
        headers: { 'idempotency-key': 'once' },
        body: { display_name: 'Bob' },
      });
    const first = await send();
    const second = await send();
    expect(first.headers['x-ratelimit-limit']).toBe('1000000000');
    expect([first.status, second.status, second.body]).toEqual([201, 201, first.body]);
    expect(second.headers['idempotent-replayed']).toBe('true');
  });
});
