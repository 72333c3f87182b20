import { CookieJar } from 'tough-cookie';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Json } from '../support/api-client.js';
import { Browser, invite, ownerBrowser } from '../support/browser.js';
import { type OpenIdServer, openIdEnvironment, startOpenIdProvider } from '../support/openid-provider.js';
import { type Service, startService } from '../support/service.js';
import { OWNER_EMAIL } from '../support/service-process.js';

let provider: OpenIdServer;
let service: Service;
let owner: Browser;

beforeAll(async () => {
  provider = await startOpenIdProvider();
  service = await startService({ env: openIdEnvironment(provider) });
  provider.admit(service.url);
  owner = await ownerBrowser(service);
});
afterAll(async () => {
  await service?.stop();
  await provider?.stop();
});
beforeEach(() => {
  provider.isUp = true;
});

interface Page {
  readonly url: string;
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

/** Follows links with cookies, as a browser does. */
class Walker {
  readonly jar = new CookieJar(undefined, { rejectPublicSuffixes: false, allowSpecialUseDomain: true });

  async get(url: string): Promise<Page> {
    let at = url;
    for (let hops = 0; hops < 12; hops += 1) {
      const answer = await this.once(at);
      const location = answer.headers.get('location');
      if (location === null)
        return { url: at, status: answer.status, text: await answer.text(), headers: answer.headers };
      at = new URL(location, at).href;
    }
    throw new Error(`Too many redirects, the last one to ${at}`);
  }

  /** One request, whose redirect is not followed. */
  async once(url: string): Promise<Response> {
    const cookie = await this.jar.getCookieString(url);
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const set of answer.headers.getSetCookie()) await this.jar.setCookie(set, url);
    return answer;
  }

  /** The address to which the provider redirects the person. It is not requested yet. */
  async returning(query = ''): Promise<string> {
    let at = `${service.url}/dashboard/oidc/start${query}`;
    for (let hops = 0; hops < 12; hops += 1) {
      const location = (await this.once(at)).headers.get('location');
      if (location === null) break;
      at = new URL(location, at).href;
      if (at.startsWith(`${service.url}/dashboard/oidc/callback`)) return at;
    }
    throw new Error(`The provider did not lead back, but to ${at}`);
  }

  async session(): Promise<Json | undefined> {
    const cookie = await this.jar.getCookieString(service.url);
    const answer = await fetch(`${service.url}/dashboard/api/session`, { headers: { cookie } });
    return answer.status === 200 ? ((await answer.json()) as Json) : undefined;
  }
}

function account(subject: string, claims: Record<string, unknown> = {}): string {
  provider.accounts.set(subject, {
    email: `${subject}@example.test`,
    email_verified: true,
    name: `Person ${subject}`,
    groups: ['support'],
    ...claims,
  });
  return subject;
}

/** Signs in at the provider as the account. */
async function signIn(subject: string, query = '') {
  provider.person = subject;
  const walker = new Walker();
  const page = await walker.get(`${service.url}/dashboard/oidc/start${query}`);
  return { page, walker, session: await walker.session() };
}

/** The error that the page shows. */
const problemOn = ({ text }: Page) => /<p role="alert">([^<]*)<\/p>/.exec(text)?.[1];

describe('the sign-in through a provider', () => {
  it('is offered on the sign-in page with the configured text', async () => {
    const page = await new Walker().get(`${service.url}/dashboard/login?return_to=%2Fdashboard%2Fcontacts`);
    expect(page.text).toContain(
      '<a class="button" href="/dashboard/oidc/start?return_to=%2Fdashboard%2Fcontacts">Sign in with Example</a>',
    );
  });

  it('signs in the member with the verified address, and redirects to the requested page', async () => {
    const member = await invite(service, owner, 'alice', 'viewer');
    const { page, session } = await signIn(account('alice'), '?return_to=%2Fdashboard%2Fcontacts');
    expect(page.status).toBe(200);
    expect(page.text).toContain('<meta http-equiv="refresh" content="0; url=/dashboard/contacts">');
    expect(session).toMatchObject({ user: { id: member.id, display_name: 'alice' }, role: 'member' });
    const cookies = page.headers.getSetCookie();
    expect(cookies).toContainEqual(expect.stringMatching(/^tl_session=tl_ss_.*HttpOnly.*SameSite=Strict/));
    expect(cookies).toContainEqual(expect.stringMatching(/^tl_departure=; Max-Age=0/));
  });

  it('sends a challenge, a state and a nonce, and keeps them in a cookie that no script can read', async () => {
    const walker = new Walker();
    const answer = await walker.once(`${service.url}/dashboard/oidc/start`);
    expect(answer.status).toBe(302);
    const { origin, searchParams } = new URL(String(answer.headers.get('location')));
    expect(origin).toBe(provider.issuer);
    const { state, nonce, code_challenge: challenge, ...others } = Object.fromEntries(searchParams);
    expect([state, nonce, challenge].map((value) => value?.length)).toEqual([43, 43, 43]);
    expect(others).toEqual({
      client_id: 'trunkline',
      code_challenge_method: 'S256',
      redirect_uri: `${service.url}/dashboard/oidc/callback`,
      response_type: 'code',
      scope: 'openid email profile',
    });
    const [cookie = ''] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^tl_departure=[\w-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(cookie).not.toContain(String(state));
  });

  it('assigns the highest role of the group values at each sign-in, and records the change in the audit log', async () => {
    const { id } = await invite(service, owner, 'bob', 'viewer');
    expect((await signIn(account('bob', { groups: ['guests', 'crew', 'support'] }))).session?.role).toBe(
      'admin',
    );
    expect((await signIn(account('bob', { groups: 'guests' }))).session?.role).toBe('viewer');
    const { data } = await owner.must<{ data: Json[] }>(
      200,
      'GET',
      '/audit-log?filter=action:member.role_changed',
    );
    const changes = data.filter(({ object }) => (object as Json).id === id);
    expect(changes).toHaveLength(2);
    expect(changes[0]).toMatchObject({ actor: { type: 'system', id: null }, address: '127.0.0.1' });
    const opened = await owner.must<{ data: Json[] }>(
      200,
      'GET',
      `/audit-log?filter=action:session.opened&filter=actor_id:${id}`,
    );
    expect(opened.data.length).toBeGreaterThanOrEqual(2);
  });

  it('does not demote the last owner', async () => {
    const { session } = await signIn(
      account('owner', { email: OWNER_EMAIL.toUpperCase(), groups: ['guests'] }),
    );
    expect(session).toMatchObject({ role: 'owner', operator: true });
  });

  it('activates an invited person, with the name from the provider and without a password', async () => {
    const invitation = await owner.must<Json>(201, 'POST', '/members', {
      email: 'carol@example.test',
      role: 'viewer',
    });
    const link = new URL(String(invitation.invite_url)).pathname;
    expect((await new Walker().get(service.url + link)).text).toContain('Sign in with Example');
    const { session } = await signIn(account('carol'));
    expect(session).toMatchObject({
      user: { id: (invitation.member as Json).id, display_name: 'Person carol', status: 'active' },
      role: 'member',
    });
    expect((await new Walker().get(service.url + link)).status).toBe(404);
    const browser = new Browser(service);
    const attempt = { email: 'carol@example.test', password: 'carol@example.test' };
    expect((await browser.post('/session', attempt)).status).toBe(401);
  });

  it('does not ask for the second step of Trunkline', async () => {
    const { browser, password } = await invite(service, owner, 'dora');
    await browser.must(201, 'POST', '/second-step', { password });
    expect((await signIn(account('dora'))).session).toMatchObject({ role: 'member' });
  });
});

describe('the sign-in through a provider is refused', () => {
  it.each([
    ['an address that is not verified', { email_verified: false }, 'did not confirm your e-mail address'],
    ['no address', { email: undefined }, 'did not confirm your e-mail address'],
    ['no value with a role', { groups: ['others'] }, 'has no access to this service'],
    ['no values', { groups: undefined }, 'has no access to this service'],
  ])('for an account with %s', async (_what, claims, problem) => {
    await owner.post('/members', { email: 'erin@example.test', role: 'viewer' });
    const { page, session } = await signIn(account('erin', claims));
    expect([page.status, problemOn(page)]).toEqual([403, expect.stringContaining(problem)]);
    expect(session).toBeUndefined();
    const members = await owner.must<{ data: Json[] }>(200, 'GET', '/members?limit=100');
    expect(members.data).toContainEqual(
      expect.objectContaining({
        role: 'viewer',
        user: expect.objectContaining({ username: 'erin', status: 'invited' }),
      }),
    );
  });

  it('for a person without an invitation', async () => {
    const { page, session } = await signIn(account('stranger'));
    expect([page.status, problemOn(page)]).toEqual([
      403,
      'No member has the e-mail address of this account. Ask an owner or admin to invite it.',
    ]);
    expect(session).toBeUndefined();
  });

  it('for a suspended member whose account is linked', async () => {
    const { id } = await invite(service, owner, 'frank');
    await signIn(account('frank'));
    await owner.must(200, 'PATCH', `/members/${id}`, { status: 'suspended' });
    const { page, session } = await signIn('frank');
    expect([page.status, problemOn(page)]).toEqual([403, expect.stringContaining('was suspended')]);
    expect(session).toBeUndefined();
  });

  it('for another account with the address of a linked member', async () => {
    const { id } = await invite(service, owner, 'grace');
    await signIn(account('grace'));
    account('grace', { email: 'grace.new@example.test', email_verified: false });
    expect((await signIn('grace')).session).toMatchObject({ user: { id } });
    const { page, session } = await signIn(account('other', { email: 'grace@example.test' }));
    expect([page.status, problemOn(page)]).toEqual([403, expect.stringContaining('Another account')]);
    expect(session).toBeUndefined();
  });

  it('for a removed member, whose address can be invited again', async () => {
    const { id } = await invite(service, owner, 'heidi');
    await signIn(account('heidi'));
    await owner.must(204, 'DELETE', `/members/${id}`);
    expect((await signIn('heidi')).session).toBeUndefined();
    await owner.must(201, 'POST', '/members', { email: 'heidi@example.test', role: 'viewer' });
    const { session } = await signIn(account('heidi2', { email: 'heidi@example.test' }));
    expect(session).toMatchObject({ role: 'member' });
    expect(session).not.toMatchObject({ user: { id } });
  });
});

describe('the redirect back from the provider', () => {
  it('is refused without the cookie of its sign-in, with that of another sign-in, and a second time', async () => {
    await invite(service, owner, 'ivan');
    provider.person = account('ivan');
    const walker = new Walker();
    const link = await walker.returning();
    for (const other of [new Walker(), await departed()]) {
      const page = await other.get(link);
      expect([page.status, problemOn(page)]).toEqual([400, expect.stringContaining('in another browser')]);
      expect(await other.session()).toBeUndefined();
    }
    expect((await walker.get(link)).status).toBe(200);
    expect(await walker.session()).toMatchObject({ role: 'member' });
    const again = await walker.get(link);
    expect([again.status, problemOn(again)]).toEqual([400, expect.stringContaining('in another browser')]);
  });

  it('is refused when its code belongs to another sign-in', async () => {
    await invite(service, owner, 'judy');
    provider.person = account('judy');
    const [mallory, judy] = [new Walker(), new Walker()];
    const stolen = new URL(await mallory.returning()).searchParams.get('code');
    const link = new URL(await judy.returning());
    link.searchParams.set('code', String(stolen));
    const page = await judy.get(link.href);
    expect([page.status, problemOn(page)]).toEqual([502, expect.stringContaining('was not accepted')]);
    expect(await judy.session()).toBeUndefined();
    const refused = { msg: 'sign_in.provider_failed', reason: 'invalid_grant' };
    await expect
      .poll(() => service.log, { timeout: 30_000 })
      .toContainEqual(expect.objectContaining(refused));
  });

  it('offers to start again after the person has declined at the provider', async () => {
    provider.person = undefined;
    const page = await new Walker().get(`${service.url}/dashboard/oidc/start?return_to=%2Fx`);
    expect([page.status, problemOn(page)]).toEqual([400, expect.stringContaining('Start again')]);
    expect(page.text).toContain('href="/dashboard/oidc/start?return_to=%2Fx"');
    expect(page.text).toContain('data-return-to="/x"');
  });

  async function departed(): Promise<Walker> {
    const walker = new Walker();
    await walker.once(`${service.url}/dashboard/oidc/start`);
    return walker;
  }
});

describe('a provider that does not respond', () => {
  it('leaves the sign-in by password available, and works again after it recovers', async () => {
    const own = await startOpenIdProvider();
    const other = await startService({ env: openIdEnvironment(own) });
    try {
      own.admit(other.url);
      own.isUp = false;
      const page = await new Walker().get(`${other.url}/dashboard/oidc/start`);
      expect([page.status, problemOn(page)]).toEqual([503, expect.stringContaining('does not answer')]);
      expect(page.text).toContain('data-action="/dashboard/api/session"');
      own.isUp = true;
      const answer = await new Walker().once(`${other.url}/dashboard/oidc/start`);
      expect(answer.headers.get('location')).toContain(own.issuer);
    } finally {
      await other.stop();
      await own.stop();
    }
  });
});

describe('a service without a provider', () => {
  it('shows no button for one and redirects to none', async () => {
    const plain = await startService();
    try {
      const walker = new Walker();
      expect((await walker.get(`${plain.url}/dashboard/login`)).text).not.toContain('oidc');
      const start = await walker.once(`${plain.url}/dashboard/oidc/start`);
      expect([start.headers.get('location'), start.headers.getSetCookie()]).toEqual([null, []]);
    } finally {
      await plain.stop();
    }
  });
});
