import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TelegramSimulator } from '../../adapters/telegram/simulator/index.js';
import { linkOf, verifyChains } from '../../src/core/audit/chain.js';
import type { AuditRecord } from '../../src/core/audit/record.js';
import type { Json } from '../support/api-client.js';
import { Browser, invite, ownerBrowser } from '../support/browser.js';
import { sharedDatabase } from '../support/postgres.js';
import { type SharedService, shareService } from '../support/shared-service.js';

type Entry = AuditRecord;

const database = sharedDatabase();
let service: SharedService;
let owner: Browser;
let ownerId: string;

beforeAll(async () => {
  service = await shareService();
  owner = await ownerBrowser(service);
  ownerId = String((await owner.must<{ user: Json }>(200, 'GET', '/session')).user.id);
});
afterAll(() => database.drop());

async function entries(filter: readonly string[] = [], more = ''): Promise<Entry[]> {
  const query = filter.map((clause) => `filter=${encodeURIComponent(clause)}`).join('&');
  const path = `/audit-log?limit=100&${query}${more}`;
  return (await owner.must<{ data: Entry[] }>(200, 'GET', path)).data;
}

/** The entries that `change` adds, oldest first. */
async function added(change: () => Promise<unknown>): Promise<Entry[]> {
  const before = new Set((await entries()).map(({ id }) => id));
  await change();
  return (await entries()).filter(({ id }) => !before.has(id)).reverse();
}

const actions = (list: readonly Entry[]) => list.map(({ action }) => action);

describe('the audit log', () => {
  it('attributes changes of keys, apps and the workspace to the member and the address', async () => {
    const made = await added(async () => {
      const key = await owner.must<Json>(201, 'POST', '/keys', { name: 'Reports', scopes: ['tv:read'] });
      await owner.must(200, 'PATCH', `/keys/${key.id}`, { name: 'Other reports' });
      await owner.must(204, 'DELETE', `/keys/${key.id}`);
      const app = await owner.must<Json>(201, 'POST', '/oauth-apps', {
        name: 'App',
        type: 'confidential',
        redirect_uris: ['http://127.0.0.1:7777/callback'],
        scopes: ['user.read'],
      });
      await owner.must(200, 'POST', `/oauth-apps/${app.id}/rotate-secret`, {});
      await owner.must(204, 'DELETE', `/oauth-apps/${app.id}`);
      await owner.must(200, 'PATCH', '/workspace', { name: 'Renamed' });
    });
    expect(actions(made)).toEqual([
      'api_key.created',
      'api_key.changed',
      'api_key.revoked',
      'oauth_app.created',
      'oauth_app.secret_rotated',
      'oauth_app.deleted',
      'workspace.changed',
    ]);
    for (const { actor, address } of made)
      expect([actor, address]).toEqual([
        { type: 'member', id: ownerId, name: expect.any(String) },
        '127.0.0.1',
      ]);
  });

  it('records when a member grants access to an OAuth app and revokes it', async () => {
    const redirect = 'http://127.0.0.1:7777/callback';
    const app = await owner.must<Json>(201, 'POST', '/oauth-apps', {
      name: 'Reader',
      type: 'public',
      redirect_uris: [redirect],
      scopes: ['user.read'],
    });
    const given = await added(() =>
      owner.must(200, 'POST', '/oauth/consent', {
        response_type: 'code',
        client_id: app.client_id,
        redirect_uri: redirect,
        scope: 'user.read',
        state: 'xyz',
        code_challenge: 'c'.repeat(43),
        code_challenge_method: 'S256',
        approve: true,
      }),
    );
    expect(actions(given)).toEqual(['oauth_grant.given']);
    const taken = await added(() => owner.must(204, 'DELETE', `/oauth/grants/${given[0]?.object.id}`));
    expect(actions(taken)).toEqual(['oauth_grant.revoked']);
    for (const { actor, address } of [...given, ...taken])
      expect([actor.id, address]).toEqual([ownerId, '127.0.0.1']);
  });

  it('records the lifecycle of a member: invited, accepted, signed in, another role, suspended, removed', async () => {
    let id = '';
    const made = await added(async () => {
      const ann = await invite(service, owner, 'ann');
      id = ann.id;
      await ann.browser.must(204, 'PUT', '/password', {
        current_password: ann.password,
        new_password: 'another password of ann',
      });
      await owner.must(200, 'PATCH', `/members/${id}`, { role: 'viewer' });
      await owner.must(200, 'PATCH', `/members/${id}`, { status: 'suspended' });
      await owner.must(204, 'DELETE', `/members/${id}`);
    });
    expect(made.map(({ action, actor }) => [action, actor.id === id ? 'ann' : actor.id])).toEqual([
      ['member.invited', ownerId],
      ['invitation.accepted', 'ann'],
      ['session.opened', 'ann'],
      ['password.changed', 'ann'],
      ['member.role_changed', ownerId],
      ['member.suspended', ownerId],
      ['member.removed', ownerId],
    ]);
    expect(new Set(made.map(({ address }) => address))).toEqual(new Set(['127.0.0.1']));
  });

  it('attributes webhooks and erased contacts to the API key that changed them', async () => {
    const api = service.client();
    let contact = '';
    const made = await added(async () => {
      const webhook = { url: 'https://hooks.example.test/', events: ['message.created'] };
      const { body: hook } = await api.send('POST', '/api/webhooks', { body: webhook });
      expect((await api.send('DELETE', `/api/webhooks/${hook.id}`)).status).toBe(204);
      const person = { username: 'contact', display_name: 'Contact' };
      const { body } = await api.send('POST', '/openapi/users', { body: person });
      contact = String(body.id);
      expect((await api.send('DELETE', `/openapi/users/${contact}`)).status).toBe(204);
    });
    expect(actions(made)).toEqual(['webhook.created', 'webhook.deleted', 'contact.erased']);
    for (const { actor } of made) expect(actor).toMatchObject({ type: 'api_key', id: expect.any(String) });
    expect(made.at(-1)?.object).toEqual({ type: 'user', id: contact });
  });

  it('records that connections are created, changed and deleted, but not their counters and health', async () => {
    const telegram = new TelegramSimulator();
    await telegram.start();
    const api = service.client();
    const path = '/openapi/platforms/telegram/connections';
    let id = '';
    const made = await added(async () => {
      const { body } = await api.send('POST', path, { body: { name: 'Bot', ...telegram.account() } });
      id = String(body.id);
      const one = `/openapi/platforms/connections/${id}`;
      await expect.poll(async () => (await api.get(one)).body.status, { timeout: 30_000 }).toBe('connected');
      await owner.must(200, 'PATCH', one, { name: 'Other bot' });
      await owner.must(200, 'PATCH', one, { enabled: false });
      await owner.must(200, 'PATCH', one, { enabled: false });
      await owner.must(204, 'DELETE', one);
    });
    await telegram.stop();
    expect(actions(made)).toEqual([
      'connection.created',
      'connection.changed',
      'connection.changed',
      'connection.deleted',
    ]);
    expect(made.map(({ actor }) => actor.type)).toEqual(['api_key', 'member', 'member', 'member']);
    expect(new Set(made.map(({ object }) => object.id))).toEqual(new Set([id]));
  });

  it('records the first failed sign-in of an hour for a member, and none for an unknown address', async () => {
    const tom = await invite(service, owner, 'tom');
    const fail = (email: string) =>
      new Browser(service).post('/session', { email, password: 'a wrong password' });
    const made = await added(async () => {
      const tried = await Promise.all([fail(tom.email), fail(tom.email), fail(tom.email.toUpperCase())]);
      expect(tried.map(({ status }) => status)).toEqual([401, 401, 401]);
      expect((await fail(tom.email)).status).toBe(401);
      expect((await fail('nobody@example.test')).status).toBe(401);
    });
    expect(made).toMatchObject([
      {
        actor: { type: 'system', id: null },
        action: 'sign_in.failed',
        object: { type: 'user', id: tom.id },
        address: '127.0.0.1',
      },
    ]);
    const system = await entries(['actor_type:system', 'action:sign_in.failed']);
    expect(system.map(({ id }) => id)).toContain(made[0]?.id);
    expect(await entries(['actor_type:member', 'action:sign_in.failed'])).toEqual([]);
  });

  it('is filtered by actor, action and time, and is read in pages', async () => {
    const all = await entries();
    const opened = await entries(['action:session.opened']);
    expect(new Set(actions(opened))).toEqual(new Set(['session.opened']));
    const own = await entries([`actor_id:${ownerId}`]);
    expect(own.length).toBeGreaterThan(0);
    expect(own.length).toBeLessThan(all.length);
    const middle = String(all[3]?.created_at);
    const older = await entries([`created_at:<${middle}`]);
    const newer = await entries([`created_at:>=${middle}`]);
    expect(older.length + newer.length).toBe(all.length);
    expect(newer.every(({ created_at: at }) => at >= middle)).toBe(true);
    const first = await owner.must<{ data: Entry[]; pagination: Json }>(200, 'GET', '/audit-log?limit=2');
    const next = await owner.must<{ data: Entry[] }>(
      200,
      'GET',
      `/audit-log?limit=2&cursor=${first.pagination.nextCursor}`,
    );
    expect([...first.data, ...next.data].map(({ id }) => id)).toEqual(all.slice(0, 4).map(({ id }) => id));
  });

  it('records no refused change, and its rows cannot be changed or deleted', async () => {
    const made = await added(async () => {
      expect((await owner.patch(`/members/${ownerId}`, { role: 'viewer' })).status).toBe(409);
    });
    expect(made).toEqual([]);
    for (const text of [`UPDATE audit_log SET action = 'none'`, 'DELETE FROM audit_log'])
      await expect(database.pool.query(text)).rejects.toThrow('neither changed nor deleted');
  });

  it('is one chain, which the erasure of a contact does not break', async () => {
    const all = await entries();
    expect(all.map(({ action }) => action)).toContain('contact.erased');
    const links = all.flatMap(({ chain, ...row }) => (chain === null ? [] : linkOf(row, chain)));
    const [report, ...others] = await verifyChains(
      links.sort((a, b) => a.number - b.number),
      { partial: false, expected: [] },
    );
    expect(others).toEqual([]);
    expect(report).toMatchObject({ rows: all.length, head: { number: all.length }, fault: undefined });
  });

  it('holds no password, key, secret or address of a person', async () => {
    const { rows } = await database.pool.query<{ row: string }>(
      'SELECT row_to_json(a)::text AS row FROM audit_log a',
    );
    const text = rows.map(({ row }) => row).join();
    for (const secret of ['password of', 'tl_live_', 'example.test', 'whsec_'])
      expect(text).not.toContain(secret);
  });

  it('is closed to members and to requests without a session', async () => {
    const bob = await invite(service, owner, 'bob', 'member');
    expect((await bob.browser.get('/audit-log')).status).toBe(403);
    expect((await new Browser(service).get('/audit-log')).status).toBe(401);
  });
});
