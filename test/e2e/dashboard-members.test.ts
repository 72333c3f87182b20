import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fieldsOf, type Json, reasonOf } from '../support/api-client.js';
import { Browser, type Invited, invite, ownerBrowser } from '../support/browser.js';
import { type Service, startService } from '../support/service.js';
import { OWNER_EMAIL } from '../support/service-process.js';

const NOBODY = '019b76da-a800-7000-8000-000000000001';

let service: Service;
let owner: Browser;

interface Invitation {
  readonly member: Json & { user: Json };
  readonly invite_url: string | null;
}

const add = (body: Json) => owner.must<Invitation>(201, 'POST', '/members', body);
const accept = (url: unknown, body: Json) =>
  new Browser(service).post(`/invitations/${String(url).split('/').at(-1)}`, body);
const current = (body: Json) => (body.details as Json).current;

beforeAll(async () => {
  service = await startService();
  owner = await ownerBrowser(service);
});
afterAll(() => service?.stop());

describe('inviting a member', () => {
  it('creates an invited member and a link, by which they become active and are signed in', async () => {
    const { member, invite_url: url } = await add({ email: 'Ann.Lee@example.test', role: 'admin' });
    expect(member).toEqual({
      id: member.user.id,
      user: expect.objectContaining({
        email: 'Ann.Lee@example.test',
        username: 'ann.lee',
        display_name: 'Ann.Lee',
        status: 'invited',
        kind: 'member',
      }),
      role: 'admin',
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(url).toMatch(new RegExp(`^${service.url}/dashboard/invitations/tl_in_[0-9A-Za-z]{43}$`));
    const body = { password: 'ann has a password', username: 'ann', display_name: 'Ann Lee' };
    const answer = await accept(url, body);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        user: expect.objectContaining({
          id: member.id,
          username: 'ann',
          display_name: 'Ann Lee',
          status: 'active',
        }),
        workspace: expect.objectContaining({ name: 'Default' }),
        role: 'admin',
        operator: false,
        csrf_token: expect.any(String),
      },
    ]);
    expect(answer.headers['set-cookie']?.[0]).toMatch(/^tl_session=tl_ss_/);
    expect((await accept(url, body)).status).toBe(404);
    await new Browser(service).signIn('ann.lee@example.test', body.password);
  });

  it('refuses the address of a member, with the id of the member', async () => {
    const { member } = await add({ email: 'twice@example.test', role: 'viewer' });
    const again = await owner.post('/members', { email: 'TWICE@example.test', role: 'viewer' });
    expect([reasonOf(again), again.body.details]).toEqual([
      'already_exists',
      { reason: 'already_exists', id: member.id },
    ]);
    expect(reasonOf(await owner.post('/members', { email: OWNER_EMAIL, role: 'viewer' }))).toBe(
      'already_exists',
    );
  });

  it('allows exactly one of several parallel acceptances', async () => {
    const { invite_url: url } = await add({ email: 'race@example.test', role: 'member' });
    const body = (n: number) => ({ password: 'password', username: `racer${n}`, display_name: 'Racer' });
    const statuses = await Promise.all([1, 2, 3, 4].map(async (n) => (await accept(url, body(n))).status));
    expect(statuses.sort()).toEqual([200, 404, 404, 404]);
  });

  it('requires a password, and a free username', async () => {
    const { invite_url: url } = await add({ email: 'picky@example.test', role: 'member' });
    expect(fieldsOf(await accept(url, { password: 'short', username: 'A B' }))).toEqual([
      ['password', 'too_short'],
      ['username', 'invalid_format'],
      ['display_name', 'required'],
    ]);
    const body = { password: 'x'.repeat(256), username: 'owner', display_name: 'Picky' };
    const taken = await accept(url, body);
    expect([reasonOf(taken), (taken.body.details as Json).id]).toEqual([
      'already_exists',
      expect.any(String),
    ]);
    expect((await accept(url, { ...body, username: 'picky2' })).status).toBe(200);
    expect((await accept('tl_in_nothing', body)).status).toBe(404);
  });

  it('does not let the user sign in before it is accepted', async () => {
    await add({ email: 'early@example.test', role: 'member' });
    expect(
      (await new Browser(service).post('/session', { email: 'early@example.test', password: 'x' })).status,
    ).toBe(401);
  });

  it('creates bots, which are active immediately and have no address', async () => {
    const first = await add({ kind: 'bot', role: 'member' });
    const second = await add({ kind: 'bot', role: 'viewer', username: 'helper', display_name: 'Helper' });
    expect(first).toMatchObject({
      invite_url: null,
      member: { user: { kind: 'bot', status: 'active', email: '' } },
    });
    expect(second.member.user).toMatchObject({ username: 'helper', display_name: 'Helper' });
    expect(first.member.user.username).toMatch(/^bot/);
    expect(reasonOf(await owner.post('/members', { kind: 'bot', role: 'member', username: 'helper' }))).toBe(
      'already_exists',
    );
  });

  it('reports the field and the code of each invalid value', async () => {
    const wrong: [Json, [string, string]][] = [
      [{ role: 'member' }, ['email', 'required']],
      [{ email: 'x', role: 'member' }, ['email', 'invalid_format']],
      [{ email: 'a@example.test' }, ['role', 'required']],
      [{ email: 'a@example.test', role: 'boss' }, ['role', 'invalid_value']],
      [{ email: 'a@example.test', role: 'member', kind: 'contact' }, ['kind', 'invalid_value']],
      [{ email: 'a@example.test', role: 'member', kind: 'bot' }, ['email', 'exclusive']],
    ];
    for (const [body, problem] of wrong)
      expect(fieldsOf(await owner.post('/members', body))).toEqual([problem]);
  });
});

describe('a member', () => {
  it('is listed with bots, and without contacts', async () => {
    const { body: contact } = await owner.post('/openapi/users', { display_name: 'Contact' });
    const list = await owner.must<{ data: Invitation['member'][]; meta: Json }>(
      200,
      'GET',
      '/members?limit=100&sort=created_at&order=asc',
    );
    expect(list.data[0]).toMatchObject({ role: 'owner', user: { email: OWNER_EMAIL } });
    expect(list.meta.total_items).toBe(list.data.length);
    expect(list.data.map(({ id }) => id)).not.toContain(contact.id);
    expect(new Set(list.data.map(({ user }) => user.kind))).toEqual(new Set(['member', 'bot']));
    expect(fieldsOf(await owner.get('/members?filter=role:owner'))).toEqual([['filter', 'invalid_value']]);
    const page = await owner.must<Json>(200, 'GET', '/members?cursor=&limit=1');
    expect(Object.keys(page)).toEqual(['data', 'pagination']);
  });

  it('has the changed permissions from the next request on', async () => {
    const { browser, id } = await invite(service, owner, 'promoted', 'viewer');
    expect((await browser.get('/members')).status).toBe(403);
    const changed = await owner.must<Json>(200, 'PATCH', `/members/${id}`, { role: 'admin' });
    expect(changed).toMatchObject({ id, role: 'admin' });
    expect((await browser.get('/members')).status).toBe(200);
    expect(await owner.must(200, 'PATCH', `/members/${id}`, { role: 'admin' })).toEqual(changed);
    await owner.must(200, 'PATCH', `/members/${id}`, { role: 'viewer' });
    expect((await browser.get('/members')).status).toBe(403);
  });

  it('who is suspended is signed out and can’t sign in until reactivated', async () => {
    const { browser, id, email, password } = await invite(service, owner, 'paused');
    const suspended = await owner.must<Json>(200, 'PATCH', `/members/${id}`, { status: 'suspended' });
    expect((suspended.user as Json).status).toBe('suspended');
    expect((await browser.get('/session')).status).toBe(401);
    const attempt = () => new Browser(service).post('/session', { email, password });
    expect((await attempt()).status).toBe(401);
    await owner.must(200, 'PATCH', `/members/${id}`, { status: 'active' });
    expect((await browser.get('/session')).status).toBe(401);
    expect((await attempt()).status).toBe(200);
  });

  it('who is invited cannot be activated or suspended before accepting', async () => {
    const { member } = await add({ email: 'still@example.test', role: 'member' });
    for (const status of ['active', 'suspended']) {
      const answer = await owner.patch(`/members/${member.id}`, { status });
      expect([reasonOf(answer), current(answer.body)]).toEqual(['invalid_state', 'invited']);
    }
    await owner.must(200, 'PATCH', `/members/${member.id}`, { role: 'viewer' });
    for (const [field, value] of Object.entries({ user: {}, id: NOBODY, created_at: 'x' }))
      expect(fieldsOf(await owner.patch(`/members/${member.id}`, { [field]: value }))).toEqual([
        [field, 'read_only'],
      ]);
    expect(fieldsOf(await owner.patch(`/members/${member.id}`, { status: 'blocked' }))).toEqual([
      ['status', 'invalid_value'],
    ]);
  });

  it('who is removed is erased, signed out, and can be invited again', async () => {
    const gone = await invite(service, owner, 'gone');
    await owner.must(204, 'DELETE', `/members/${gone.id}`);
    expect((await gone.browser.get('/session')).status).toBe(401);
    expect((await owner.get(`/openapi/users/${gone.id}`)).status).toBe(404);
    expect((await owner.delete(`/members/${gone.id}`)).status).toBe(404);
    expect((await owner.patch(`/members/${gone.id}`, { role: 'admin' })).status).toBe(404);
    expect((await owner.delete(`/members/${NOBODY}`)).status).toBe(404);
    await invite(service, owner, 'gone');
    const { member, invite_url: url } = await add({ email: 'uninvited@example.test', role: 'member' });
    await owner.must(204, 'DELETE', `/members/${member.id}`);
    expect(
      (await accept(url, { password: 'password', username: 'uninvited', display_name: 'U' })).status,
    ).toBe(404);
  });

  it('is not a contact: contacts are found elsewhere', async () => {
    const contact = await owner.must(201, 'POST', '/openapi/users', { display_name: 'Contact' });
    expect((await owner.patch(`/members/${contact.id}`, { role: 'admin' })).status).toBe(404);
    expect((await owner.delete(`/members/${contact.id}`)).status).toBe(404);
  });

  it('shows when their role changed', async () => {
    const { member } = await add({ email: 'told@example.test', role: 'member' });
    await owner.must(200, 'PATCH', `/members/${member.id}`, { role: 'admin' });
    const list = await owner.must<{ data: Json[] }>(200, 'GET', `/members?filter=id:${member.id}`);
    expect(list.data[0]?.updated_at).not.toBe(member.updated_at);
  });
});

describe('the last owner', () => {
  it('can’t be demoted, suspended or removed, until there is another one', async () => {
    const { user } = await owner.must<{ user: Json }>(200, 'GET', '/session');
    const refused = [
      await owner.patch(`/members/${user.id}`, { role: 'admin' }),
      await owner.patch(`/members/${user.id}`, { status: 'suspended' }),
      await owner.delete(`/members/${user.id}`),
    ];
    for (const answer of refused)
      expect([reasonOf(answer), current(answer.body)]).toEqual(['invalid_state', 'last_owner']);
    const bot = await add({ kind: 'bot', role: 'owner' });
    const invited = await add({ email: 'heir@example.test', role: 'owner' });
    expect(reasonOf(await owner.patch(`/members/${user.id}`, { role: 'admin' }))).toBe('invalid_state');
    const second = await invite(service, owner, 'second', 'owner');
    await owner.must(200, 'PATCH', `/members/${user.id}`, { role: 'admin' });
    expect(reasonOf(await second.browser.delete(`/members/${second.id}`))).toBe('invalid_state');
    await second.browser.must(200, 'PATCH', `/members/${user.id}`, { role: 'owner' });
    for (const { member } of [bot, invited]) await owner.must(204, 'DELETE', `/members/${member.id}`);
    await owner.must(204, 'DELETE', `/members/${second.id}`);
  });

  it('stays even when two owners demote each other at once', async () => {
    const { user } = await owner.must<{ user: Json }>(200, 'GET', '/session');
    const rival = await invite(service, owner, 'rival', 'owner');
    const answers = await Promise.all([
      owner.patch(`/members/${rival.id}`, { role: 'member' }),
      rival.browser.patch(`/members/${user.id}`, { role: 'member' }),
    ]);
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses[0]).toBe(200);
    expect([403, 409]).toContain(statuses[1]);
    const winner = (await owner.get('/session')).body.role === 'owner' ? owner : rival.browser;
    await winner.must(200, 'PATCH', `/members/${user.id}`, { role: 'owner' });
  });
});

describe('roles', () => {
  const MANAGED: [string, string][] = [
    ['GET', '/keys'],
    ['POST', '/keys'],
    ['PATCH', `/keys/${NOBODY}`],
    ['DELETE', `/keys/${NOBODY}`],
    ['GET', '/members'],
    ['POST', '/members'],
    ['PATCH', `/members/${NOBODY}`],
    ['DELETE', `/members/${NOBODY}`],
    ['GET', '/oauth-apps'],
    ['POST', '/oauth-apps'],
    ['PATCH', `/oauth-apps/${NOBODY}`],
    ['DELETE', `/oauth-apps/${NOBODY}`],
    ['POST', `/oauth-apps/${NOBODY}/rotate-secret`],
    ['PATCH', '/workspace'],
  ];
  const people: Record<string, Invited> = {};

  beforeAll(async () => {
    for (const role of ['owner', 'admin', 'member', 'viewer'])
      people[role] = await invite(service, owner, `a-${role}`, role);
  });

  const browserOf = (role: string) => (people[role] as Invited).browser;

  it.each(['owner', 'admin'])('%s manages keys, members, apps and workspace', async (role) => {
    for (const [method, path] of MANAGED) {
      const { status } = await browserOf(role).send(method, path, { body: {} });
      expect([method, path, status]).not.toEqual([method, path, 403]);
    }
  });

  it.each(['member', 'viewer'])('%s manages none of them, and can read the workspace', async (role) => {
    for (const [method, path] of MANAGED) {
      const { status, body } = await browserOf(role).send(method, path, { body: {} });
      expect([method, path, status, body.details]).toEqual([
        method,
        path,
        403,
        { required: ['owner', 'admin'], provided: [role] },
      ]);
    }
    await browserOf(role).must(200, 'GET', '/workspace');
  });

  it.each(['owner', 'admin', 'member', 'viewer'])('%s has the scopes of the role', async (role) => {
    const browser = browserOf(role);
    const may = async (method: string, path: string) =>
      (await browser.send(method, path, { body: {} })).status !== 403;
    expect({
      'profile:read': await may('GET', '/openapi/users'),
      'profile:write': await may('POST', '/openapi/users'),
      'messages:write': await may('POST', '/openapi/messages'),
      'platforms:read': await may('GET', '/openapi/platforms'),
      'platforms:write': await may('POST', '/openapi/platforms/telegram/connections'),
      webhooks: await may('GET', '/api/webhooks'),
    }).toEqual({
      'profile:read': true,
      'profile:write': role !== 'viewer',
      'messages:write': role !== 'viewer',
      'platforms:read': true,
      'platforms:write': role === 'owner' || role === 'admin',
      webhooks: true,
    });
  });

  it('a viewer receives the missing scope in the error', async () => {
    const answer = await browserOf('viewer').post('/openapi/users', {});
    expect(answer.body).toMatchObject({ error: 'access_denied', details: { required: ['profile:write'] } });
    const { provided } = answer.body.details as { provided: string[] };
    expect(provided.every((scope) => scope.endsWith(':read'))).toBe(true);
  });
});
