import type { Asked, HostileCase, Scene } from './scene.js';

/** A change by a signed-in browser, with these headers in place of the usual ones. */
const change = (
  name: string,
  headers: (scene: Scene) => Asked['headers'],
  status: readonly number[] = [403],
): HostileCase => ({
  name,
  status,
  act: (scene) =>
    scene.ask('POST', '/dashboard/api/keys', {
      key: null,
      body: { name: 'Stolen', scopes: ['messages:read'] },
      headers: { cookie: String(scene.browser.cookie), ...headers(scene) },
    }),
});
const signIn = (
  name: string,
  body: object | string,
  status: readonly number[] = [400],
  headers: Asked['headers'] = {},
): HostileCase => ({
  name,
  status,
  act: (scene) => scene.ask('POST', '/dashboard/api/session', { key: null, body, headers }),
});
const CROSS = 'https://evil.example';

/** Requests of another website in a person's browser, and false sign-ins. */
export const sessions: readonly HostileCase[] = [
  change('a change without a token', () => ({})),
  change('a change with an empty token', () => ({ 'x-csrf-token': '' })),
  change('a change with a made-up token', () => ({ 'x-csrf-token': 'A'.repeat(43) })),
  change('a change with the cookie as the token', ({ browser }) => ({
    'x-csrf-token': String(browser.cookie).split('=')[1] ?? '',
  })),
  change('a change from another site', ({ browser }) => ({
    'x-csrf-token': String(browser.csrf),
    origin: CROSS,
  })),
  change('a change from a page without an origin', ({ browser }) => ({
    'x-csrf-token': String(browser.csrf),
    origin: 'null',
  })),
  change('a change from another port', ({ browser, port }) => ({
    'x-csrf-token': String(browser.csrf),
    origin: `http://127.0.0.1:${port + 1}`,
  })),
  change(
    'a change with a made-up cookie',
    ({ browser }) => ({ cookie: `tl_session=${'A'.repeat(43)}`, 'x-csrf-token': String(browser.csrf) }),
    [401],
  ),
  change('a change with the key of a program', ({ key }) => ({ cookie: '', 'x-api-key': key }), [401]),
  {
    name: 'a change by a form of another site',
    status: [400, 403],
    act: (scene) =>
      scene.ask('POST', '/dashboard/api/keys', {
        key: null,
        body: 'name=Stolen',
        headers: {
          cookie: String(scene.browser.cookie),
          'content-type': 'application/x-www-form-urlencoded',
          origin: CROSS,
        },
      }),
  },
  {
    name: 'a stream of events in another site',
    status: [403],
    act: (scene) =>
      scene.ask('GET', '/dashboard/api/openapi/events/stream', {
        key: null,
        headers: { cookie: String(scene.browser.cookie), origin: CROSS },
      }),
  },
  signIn('a sign-in by another site', { email: 'a@example.test', password: 'password' }, [403], {
    origin: CROSS,
  }),
  signIn('a sign-in by a form', 'email=a&password=b', [400], {
    'content-type': 'application/x-www-form-urlencoded',
  }),
  signIn('a password that is an object', { email: 'a@example.test', password: { $ne: '' } }),
  signIn('a password that is a list', { email: 'a@example.test', password: ['a'] }),
  signIn('SQL in place of an address', { email: "' OR 1=1 --", password: 'password' }, [400, 401]),
  signIn(
    'a password of 100,000 letters',
    { email: 'a@example.test', password: 'a'.repeat(100_000) },
    [400, 401],
  ),
  signIn(
    'an address of 100,000 letters',
    { email: `${'a'.repeat(100_000)}@example.test`, password: 'password' },
    [400, 401],
  ),
  signIn('a role in a sign-in', { email: 'a@example.test', password: 'password', role: 'owner' }, [400, 401]),
  {
    name: 'a second owner by the first run',
    status: [409],
    act: (scene) =>
      scene.ask('POST', '/dashboard/api/setup', {
        key: null,
        body: { email: 'evil@example.test', password: 'a long password', display_name: 'Evil' },
      }),
  },
  {
    name: 'an invitation with a made-up token',
    status: [404],
    act: (scene) =>
      scene.ask('POST', `/dashboard/api/invitations/${'A'.repeat(43)}`, {
        key: null,
        body: { password: 'a long password', username: 'evil', display_name: 'Evil' },
      }),
  },
];
