import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, fieldsOf, type Json, reasonOf } from '../support/api-client.js';
import { type Browser, invite, ownerBrowser } from '../support/browser.js';
import { sharedDatabase } from '../support/postgres.js';
import { type SharedService, shareService } from '../support/shared-service.js';

const NOBODY = '019b76da-a800-7000-8000-000000000001';

const database = sharedDatabase();
let service: SharedService;
let owner: Browser;
let me: Json;

const make = (body: Json) => owner.must(201, 'POST', '/keys', body);
const statusWith = async (key: unknown) => (await service.client(String(key)).get('/openapi/status')).status;

/** As the operator of the installation does. */
const changePlan = async (plan: string) => {
  const { id } = await owner.must(200, 'GET', '/workspace');
  await database.pool.query('UPDATE workspaces SET plan = $2 WHERE id = $1', [id, plan]);
};

beforeAll(async () => {
  service = await shareService();
  owner = await ownerBrowser(service);
  me = await owner.must(200, 'GET', '/openapi/users/me');
});
afterAll(() => database.drop());

describe('an API key of the dashboard', () => {
  it('is created with only a name, and shown once', async () => {
    const key = await make({ name: 'Plain' });
    expect(key).toEqual({
      id: expect.any(String),
      name: 'Plain',
      environment: 'live',
      scopes: [],
      rate_limit: 100,
      ip_allowlist: [],
      user_id: me.id,
      hint: String(key.key).slice(-4),
      expires_at: null,
      last_used_at: null,
      revoked_at: null,
      key: expect.stringMatching(/^tl_live_[0-9A-Za-z]{49}$/),
      created_at: expect.any(String),
      updated_at: key.created_at,
    });
    const { key: _, ...listed } = key;
    const { data } = await owner.must<{ data: Json[] }>(200, 'GET', `/keys?filter=id:${key.id}`);
    expect(data).toEqual([listed]);
    expect((await service.client(String(key.key)).get('/openapi/users/me')).status).toBe(403);
    const answer = await service.client(String(key.key)).get('/openapi/status');
    expect([answer.status, answer.headers['x-ratelimit-limit']]).toEqual([200, '100']);
  });

  it('has the number of its requests in the current hour, unless it is unlimited', async () => {
    const key = await make({ name: 'Counted' });
    const unlimited = await make({ name: 'Unlimited', rate_limit: 0 });
    // A new hour between the requests resets the count.
    const counted = async () => {
      await statusWith(key.key);
      const { data } = await owner.must<{ data: Json[] }>(200, 'GET', '/key-usage');
      expect(data.map(({ id }) => id)).not.toContain(unlimited.id);
      return Number(data.find(({ id }) => id === key.id)?.requests_this_hour);
    };
    await eventually(counted, (requests) => requests >= 2);
  });

  it('has the given values: each scope once, addresses, a rate limit, an expiry, another user', async () => {
    const { member } = await owner.must<{ member: Json }>(201, 'POST', '/members', {
      kind: 'bot',
      role: 'member',
    });
    const expires = new Date(Date.now() + 3_600_000).toISOString();
    const key = await make({
      name: 'Bot’s',
      scopes: ['profile:read', 'profile:read'],
      rate_limit: 0,
      ip_allowlist: ['127.0.0.0/8', '::1/128'],
      user_id: String(member.id).toUpperCase(),
      expires_at: expires,
    });
    expect(key).toMatchObject({
      scopes: ['profile:read'],
      rate_limit: 0,
      ip_allowlist: ['127.0.0.0/8', '::1/128'],
      user_id: member.id,
      expires_at: expires,
    });
    const bot = await service.client(String(key.key)).must(200, 'GET', '/openapi/users/me');
    expect(bot).toMatchObject({ id: member.id, kind: 'bot', status: 'active' });
  });

  it('of the test environment acts in the test workspace, for the same user', async () => {
    const key = await make({ name: 'Trial', environment: 'test', scopes: ['profile:read', 'profile:write'] });
    expect(key).toMatchObject({
      environment: 'test',
      user_id: me.id,
      key: expect.stringMatching(/^tl_test_/),
    });
    const api = service.client(String(key.key));
    const other = await api.must(200, 'GET', '/openapi/users/me');
    expect(other.id).not.toBe(me.id);
    expect(other.email).toBe(me.email);
    const again = await make({ name: 'Trial 2', environment: 'test', scopes: ['profile:read'] });
    expect((await service.client(String(again.key)).get('/openapi/users/me')).body.id).toBe(other.id);
    const { data } = await owner.must<{ data: Json[] }>(200, 'GET', `/keys?filter=id:${key.id}|${again.id}`);
    expect(data.map(({ environment }) => environment)).toEqual(['test', 'test']);
  });

  it('is refused with the field and the code of each invalid value', async () => {
    const wrong: [Json, string, string][] = [
      [{ name: undefined }, 'name', 'required'],
      [{ name: '' }, 'name', 'too_short'],
      [{ name: 'x'.repeat(257) }, 'name', 'too_long'],
      [{ name: null }, 'name', 'invalid_type'],
      [{ environment: 'prod' }, 'environment', 'invalid_value'],
      [{ scopes: ['all'] }, 'scopes.0', 'invalid_value'],
      [{ scopes: Array(40).fill('tv:read') }, 'scopes', 'too_many'],
      [{ rate_limit: -1 }, 'rate_limit', 'too_small'],
      [{ rate_limit: 1_000_001 }, 'rate_limit', 'too_large'],
      [{ rate_limit: '5' }, 'rate_limit', 'invalid_type'],
      [{ ip_allowlist: ['localhost'] }, 'ip_allowlist.0', 'invalid_format'],
      [{ ip_allowlist: ['10.0.0.1', '10/8'] }, 'ip_allowlist.1', 'invalid_format'],
      [{ ip_allowlist: Array(101).fill('10.0.0.0/8') }, 'ip_allowlist', 'too_many'],
      [{ user_id: 'x' }, 'user_id', 'invalid_format'],
      [{ expires_at: '2020-01-01T00:00:00Z' }, 'expires_at', 'invalid_value'],
      [{ expires_at: 'soon' }, 'expires_at', 'invalid_format'],
    ];
    for (const [body, field, code] of wrong) {
      expect(fieldsOf(await owner.post('/keys', { name: 'Wrong', ...body }))).toContainEqual([field, code]);
    }
  });

  it('is refused for contacts, unknown users and invited members', async () => {
    const contact = await owner.must(201, 'POST', '/openapi/users', { display_name: 'Ann' });
    for (const id of [NOBODY, contact.id]) {
      const answer = await owner.post('/keys', { name: 'Wrong', user_id: id });
      expect([answer.status, answer.body.details]).toEqual([404, { field: 'user_id' }]);
    }
    const { member } = await owner.must<{ member: Json }>(201, 'POST', '/members', {
      email: 'waiting@example.test',
      role: 'member',
    });
    const answer = await owner.post('/keys', { name: 'Early', user_id: member.id });
    expect([reasonOf(answer), (answer.body.details as Json).current]).toEqual(['invalid_state', 'invited']);
  });

  it('changes its name and addresses, effective at once, and nothing else', async () => {
    const key = await make({ name: 'Before' });
    expect(await statusWith(key.key)).toBe(200);
    const patch = { name: 'After', ip_allowlist: ['192.0.2.0/24'] };
    const changed = await owner.must(200, 'PATCH', `/keys/${key.id}`, patch);
    expect(changed).toMatchObject(patch);
    expect(changed.key).toBeUndefined();
    expect(await owner.must(200, 'PATCH', `/keys/${key.id}`, patch)).toEqual(changed);
    expect(
      await eventually(
        () => statusWith(key.key),
        (status) => status === 401,
      ),
    ).toBe(401);
    for (const [field, value] of Object.entries({
      scopes: [],
      rate_limit: 1,
      expires_at: null,
      hint: 'x',
      key: 'x',
    }))
      expect(fieldsOf(await owner.patch(`/keys/${key.id}`, { [field]: value }))).toEqual([
        [field, 'read_only'],
      ]);
    expect(fieldsOf(await owner.patch(`/keys/${key.id}`, { name: null }))).toEqual([
      ['name', 'invalid_type'],
    ]);
    expect((await owner.patch(`/keys/${NOBODY}`, {})).status).toBe(404);
    expect((await owner.patch('/keys/x', {})).status).toBe(404);
    expect((await owner.get(`/keys/${key.id}`)).status).toBe(404);
  });

  it('is invalid once it is revoked, and stays in the list', async () => {
    const key = await make({ name: 'Leaked' });
    expect(await statusWith(key.key)).toBe(200);
    await owner.must(204, 'DELETE', `/keys/${key.id}`);
    expect(
      await eventually(
        () => statusWith(key.key),
        (status) => status === 401,
      ),
    ).toBe(401);
    expect((await owner.delete(`/keys/${key.id}`)).status).toBe(404);
    const patched = await owner.patch(`/keys/${key.id}`, { name: 'x' });
    expect([reasonOf(patched), (patched.body.details as Json).current]).toEqual(['invalid_state', 'revoked']);
    const { data } = await owner.must<{ data: Json[] }>(200, 'GET', `/keys?filter=id:${key.id}`);
    expect(data[0]?.revoked_at).toEqual(expect.any(String));
  });

  it('is created by each request, because an Idempotency-Key is ignored', async () => {
    const send = () =>
      owner.send('POST', '/keys', { headers: { 'idempotency-key': 'k' }, body: { name: 'Twice' } });
    const [first, second] = [await send(), await send()];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body.id).not.toBe(first.body.id);
    expect(second.headers['idempotent-replayed']).toBeUndefined();
  });

  it('has at most the rate of the workspace’s plan', async () => {
    const rate = async (rate_limit: number) => {
      const { status, body } = await owner.post('/keys', { name: 'Rated', rate_limit });
      return status === 201 ? rate_limit : (body.details as { fields: Json[] }).fields[0]?.code;
    };
    for (const [plan, maxPerHour] of [
      ['default', 100],
      ['team', 1_000],
      ['business', 10_000],
    ] as const) {
      await changePlan(plan);
      expect([plan, await rate(maxPerHour), await rate(maxPerHour + 1), await rate(0)]).toEqual([
        plan,
        maxPerHour,
        'too_large',
        'too_small',
      ]);
    }
    await changePlan('unlimited');
    expect([await rate(0), await rate(1_000_000)]).toEqual([0, 1_000_000]);
  });

  it('is refused when a hundred keys are not revoked', async () => {
    let last = await owner.post('/keys', { name: 'One more' });
    for (let made = 0; last.status === 201 && made < 100; made += 1)
      last = await owner.post('/keys', { name: 'One more', environment: made % 2 ? 'live' : 'test' });
    expect(reasonOf(last)).toBe('limit_reached');
    expect(last.body.details).toEqual({ reason: 'limit_reached', limit: 100 });
    const { data } = await owner.must<{ data: Json[] }>(200, 'GET', '/keys?limit=100');
    const id = data.find(({ name }) => name === 'One more')?.id;
    await owner.must(204, 'DELETE', `/keys/${id}`);
    await make({ name: 'In its place' });
  });
});

describe('keys of a user who is suspended or removed', () => {
  it('are invalid, live and test', async () => {
    await owner.must(204, 'DELETE', `/keys/${await oldest()}`);
    await owner.must(204, 'DELETE', `/keys/${await oldest()}`);
    const { id } = await invite(service, owner, 'leaving', 'admin');
    const keys = [
      await make({ name: 'Live', user_id: id }),
      await make({ name: 'Test', user_id: id, environment: 'test' }),
    ];
    for (const { key } of keys) expect(await statusWith(key)).toBe(200);
    await owner.must(200, 'PATCH', `/members/${id}`, { status: 'suspended' });
    for (const { key } of keys)
      await eventually(
        () => statusWith(key),
        (status) => status === 401,
      );
    await owner.must(200, 'PATCH', `/members/${id}`, { status: 'active' });
    for (const { key } of keys) expect(await statusWith(key)).toBe(401);
    const { data } = await owner.must<{ data: Json[] }>(200, 'GET', '/keys?limit=2');
    expect(data.map(({ revoked_at: at }) => typeof at)).toEqual(['string', 'string']);
  });
});

/** A key that is not revoked, which is revoked to make room. */
async function oldest(): Promise<unknown> {
  const { data } = await owner.must<{ data: Json[] }>(200, 'GET', '/keys?limit=100');
  return data.find(({ revoked_at: at, name }) => at === null && name === 'One more')?.id;
}
