import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../support/api-client.js';
import { freePort } from '../support/free-port.js';
import { type Service, startService } from '../support/service.js';
import { OWNER_EMAIL, OWNER_PASSWORD } from '../support/service-process.js';
import { type SecureAnswer, SecureVisitor, type TlsFront, tlsFront } from '../support/tls-front.js';

const NAME = '__Host-tl_session';

let front: TlsFront;
let service: Service;

beforeAll(async () => {
  const port = await freePort();
  front = await tlsFront(port);
  service = await startService({ port, env: { PUBLIC_URL: front.url } });
});
afterAll(async () => {
  await service?.stop();
  await front?.close();
});

const jsonOf = ({ text }: SecureAnswer) => JSON.parse(text) as Json;
const errorOf = (answer: SecureAnswer) => [answer.status, jsonOf(answer).error];

async function signIn(): Promise<SecureVisitor & { readonly csrf: string }> {
  const visitor = new SecureVisitor(front);
  const body = { email: OWNER_EMAIL, password: OWNER_PASSWORD };
  const answer = await visitor.send('POST', '/dashboard/api/session', { body });
  expect(answer.status).toBe(200);
  return Object.assign(visitor, { csrf: String(jsonOf(answer).csrf_token) });
}

const cookiesOf = ({ jar }: SecureVisitor, url = front.url) =>
  jar.getCookies(url, { sameSiteContext: 'strict' });
const makeKey = (visitor: SecureVisitor, headers: Record<string, string>) =>
  visitor.send('POST', '/dashboard/api/keys', { body: { name: 'A key' }, headers });

describe('the dashboard over https', () => {
  it('sets a sign-in cookie of this host alone, for https and not for scripts, until the browser closes', async () => {
    const visitor = await signIn();
    const [cookie, ...others] = await cookiesOf(visitor);
    expect(others).toEqual([]);
    expect(cookie).toMatchObject({
      key: NAME,
      value: expect.stringMatching(/^tl_ss_[0-9A-Za-z]{43}$/),
      secure: true,
      httpOnly: true,
      sameSite: 'strict',
      path: '/',
      hostOnly: true,
      expires: 'Infinity',
      maxAge: null,
    });
    const { port } = new URL(front.url);
    expect(await cookiesOf(visitor, `http://localhost:${port}/`)).toEqual([]);
    expect(await cookiesOf(visitor, `https://sub.localhost:${port}/`)).toEqual([]);
    expect(await visitor.jar.getCookies(front.url, { sameSiteContext: 'lax' })).toEqual([]);
  });

  it('accepts the cookie as the session, on the interface and on the pages', async () => {
    const visitor = await signIn();
    const session = await visitor.send('GET', '/dashboard/api/session');
    expect([session.status, jsonOf(session)]).toEqual([
      200,
      expect.objectContaining({ role: 'owner', csrf_token: visitor.csrf }),
    ]);
    const messages = await visitor.send('GET', '/dashboard/api/openapi/messages');
    expect([messages.status, jsonOf(messages).data]).toEqual([200, []]);
    expect((await visitor.send('GET', '/dashboard/login')).text).toContain('Sign out');
    expect((await new SecureVisitor(front).send('GET', '/dashboard/login')).text).not.toContain('Sign out');
  });

  it('does not accept a cookie without the prefix, which a neighbour on plain http could set', async () => {
    const [cookie] = await cookiesOf(await signIn());
    const headers = { cookie: `tl_session=${cookie?.value}` };
    const answer = await new SecureVisitor(front).send('GET', '/dashboard/api/session', { headers });
    expect(errorOf(answer)).toEqual([401, 'unauthorized']);
  });

  it('requires the token of the session and our origin for a change', async () => {
    const visitor = await signIn();
    const other = await signIn();
    const own = { 'x-csrf-token': visitor.csrf };
    expect(errorOf(await makeKey(visitor, {}))).toEqual([403, 'access_denied']);
    expect(errorOf(await makeKey(visitor, { 'x-csrf-token': other.csrf }))).toEqual([403, 'access_denied']);
    const foreign = ['https://evil.example', 'https://localhost', 'null'];
    for (const origin of foreign) {
      const answer = await makeKey(visitor, { ...own, origin });
      expect([origin, ...errorOf(answer)]).toEqual([origin, 403, 'access_denied']);
    }
    expect((await makeKey(visitor, own)).status).toBe(201);
    const made = await makeKey(visitor, { ...own, origin: front.url });
    const { id, key } = jsonOf(made);
    expect([made.status, key]).toEqual([201, expect.stringMatching(/^tl_live_/)]);
    const path = `/dashboard/api/keys/${id}`;
    expect((await visitor.send('DELETE', path, { headers: own })).status).toBe(204);
  });

  it('refuses a sign-in from the page of another site, and sets nothing', async () => {
    const visitor = new SecureVisitor(front);
    const answer = await visitor.send('POST', '/dashboard/api/session', {
      body: { email: OWNER_EMAIL, password: OWNER_PASSWORD },
      headers: { origin: 'https://evil.example' },
    });
    expect(errorOf(answer)).toEqual([403, 'access_denied']);
    expect(await cookiesOf(visitor)).toEqual([]);
  });

  it('requires the token for signing out, clears the cookie and ends the session', async () => {
    const visitor = await signIn();
    const [cookie] = await cookiesOf(visitor);
    expect(errorOf(await visitor.send('DELETE', '/dashboard/api/session'))).toEqual([403, 'access_denied']);
    expect(await cookiesOf(visitor)).toHaveLength(1);
    const headers = { 'x-csrf-token': visitor.csrf };
    const answer = await visitor.send('DELETE', '/dashboard/api/session', { headers });
    expect(answer.status).toBe(204);
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(/^__Host-tl_session=; Max-Age=0; Path=\/; HttpOnly; Secure; SameSite=Strict$/),
    ]);
    expect(await cookiesOf(visitor)).toEqual([]);
    const again = { cookie: `${NAME}=${cookie?.value}` };
    expect(errorOf(await visitor.send('GET', '/dashboard/api/session', { headers: again }))).toEqual([
      401,
      'unauthorized',
    ]);
  });
});
