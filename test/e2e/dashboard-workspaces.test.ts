import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fieldsOf, type Json, reasonOf } from '../support/api-client.js';
import { Browser, invite, ownerBrowser } from '../support/browser.js';
import { type Service, startService } from '../support/service.js';
import { OWNER_EMAIL, OWNER_PASSWORD } from '../support/service-process.js';

const NOBODY = '019b76da-a800-7000-8000-000000000001';
const REDIRECT = 'https://app.example/callback';

let service: Service;
let owner: Browser;

beforeAll(async () => {
  service = await startService();
  owner = await ownerBrowser(service);
});
afterAll(() => service?.stop());

describe('the workspace', () => {
  it('changes its name and its opt-out keywords', async () => {
    const before = await owner.must(200, 'GET', '/workspace');
    const patch = { name: 'Acme', opt_out_keywords: ['BASTA'] };
    const after = await owner.must(200, 'PATCH', '/workspace', patch);
    expect(after).toEqual({ ...before, ...patch });
    expect(await owner.must(200, 'GET', '/workspace')).toEqual(after);
    expect(await owner.must(200, 'PATCH', '/workspace', {})).toEqual(after);
    expect(await owner.must(200, 'PATCH', '/workspace', { opt_out_keywords: [] })).toMatchObject({
      opt_out_keywords: [],
    });
  });

  it('has each invalid value refused with its field and code', async () => {
    const wrong: [Json, [string, string]][] = [
      [{ name: '' }, ['name', 'too_short']],
      [{ name: 'x'.repeat(257) }, ['name', 'too_long']],
      [{ name: null }, ['name', 'invalid_type']],
      [{ plan: 'gold' }, ['plan', 'invalid_value']],
      [{ opt_out_keywords: Array(51).fill('X') }, ['opt_out_keywords', 'too_many']],
      [{ opt_out_keywords: [1] }, ['opt_out_keywords.0', 'invalid_type']],
      [{ id: NOBODY }, ['id', 'read_only']],
      [{ test_workspace_id: NOBODY }, ['test_workspace_id', 'read_only']],
    ];
    for (const [body, problem] of wrong)
      expect(fieldsOf(await owner.patch('/workspace', body))).toEqual([problem]);
  });

  it('has a plan that only the operator can change', async () => {
    expect(await owner.must(200, 'PATCH', '/workspace', { plan: 'team' })).toMatchObject({ plan: 'team' });
    const { browser } = await invite(service, owner, 'coowner', 'owner');
    const answer = await browser.patch('/workspace', { plan: 'unlimited', name: 'Mine' });
    expect([answer.status, answer.body.details]).toEqual([
      403,
      { required: ['operator'], provided: ['owner'] },
    ]);
    expect(await browser.must(200, 'PATCH', '/workspace', { name: 'Ours' })).toMatchObject({
      name: 'Ours',
      plan: 'team',
    });
  });

  it('chooses the conversation that receives alerts, and can clear it', async () => {
    const none = { conversation_number: null, title: null, approvals: false };
    const choose = (conversation_number: unknown) =>
      owner.send('PUT', '/workspace/staff-chat', { body: { conversation_number } as Json });
    expect(await owner.must(200, 'GET', '/workspace/staff-chat')).toEqual(none);
    const headers = { 'x-api-key': service.key, 'content-type': 'application/json' };
    const created = await fetch(`${service.url}/openapi/conversations`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ title: 'Team', participant_ids: [] }),
    });
    expect(created.status).toBe(201);
    const chosen = { conversation_number: 1, title: 'Team', approvals: false };
    expect(await choose(1)).toMatchObject({ status: 200, body: chosen });
    expect(await owner.must(200, 'GET', '/workspace/staff-chat')).toEqual(chosen);
    expect([(await choose(99)).status, (await choose('team')).status]).toEqual([404, 400]);
    expect(await owner.must(200, 'GET', '/workspace/staff-chat')).toEqual(chosen);
    expect(await choose(null)).toMatchObject({ status: 200, body: none });
  });
});

describe('the retention of a workspace', () => {
  it('is a number of days or the default of the installation, and its change is in the audit log', async () => {
    const installation = { messages_days: null, envelopes_days: 30, attempts_days: 90, events_days: 45 };
    expect(await owner.must(200, 'GET', '/workspace/retention')).toEqual({
      messages_days: null,
      installation,
    });
    const set = await owner.must(200, 'PUT', '/workspace/retention', { messages_days: 365 });
    expect(set).toEqual({ messages_days: 365, installation });
    expect(await owner.must(200, 'GET', '/workspace/retention')).toEqual(set);
    for (const days of [0, 36_501, 1.5, '30'])
      expect(
        (await owner.send('PUT', '/workspace/retention', { body: { messages_days: days } })).status,
      ).toBe(400);
    const log = await owner.must<{ data: Json[] }>(
      200,
      'GET',
      '/audit-log?filter=action:workspace.changed&limit=1',
    );
    expect(log.data).toHaveLength(1);
    expect(await owner.must(200, 'PUT', '/workspace/retention', { messages_days: null })).toMatchObject({
      messages_days: null,
    });
  });
});

describe('additional workspaces', () => {
  const body = { name: 'Second', owner_email: 'second@example.test', owner_password: 'second password' };

  it('are created by the operator, with an owner who sees nothing of the others', async () => {
    const made = await owner.must(201, 'POST', '/workspaces', body);
    expect(made).toMatchObject({ name: 'Second', plan: 'unlimited', test_workspace_id: expect.any(String) });
    const second = new Browser(service);
    const session = await second.signIn(body.owner_email, body.owner_password, { workspace_id: made.id });
    expect(session).toMatchObject({ workspace: made, role: 'owner', operator: false });
    const contact = await owner.must(201, 'POST', '/openapi/users', { display_name: 'Ours' });
    const key = await owner.must(201, 'POST', '/keys', { name: 'Ours' });
    const app = await owner.must(201, 'POST', '/oauth-apps', {
      name: 'Ours',
      type: 'public',
      redirect_uris: [REDIRECT],
      scopes: ['user.read'],
    });
    const { user } = await owner.must<{ user: Json }>(200, 'GET', '/session');
    for (const [method, path] of [
      ['GET', `/openapi/users/${contact.id}`],
      ['PATCH', `/keys/${key.id}`],
      ['DELETE', `/keys/${key.id}`],
      ['PATCH', `/members/${user.id}`],
      ['DELETE', `/members/${user.id}`],
      ['PATCH', `/oauth-apps/${app.id}`],
      ['POST', `/oauth-apps/${app.id}/rotate-secret`],
      ['DELETE', `/oauth-apps/${app.id}`],
    ] as const)
      expect([method, path, (await second.send(method, path, { body: {} })).status]).toEqual([
        method,
        path,
        404,
      ]);
    for (const [path, total] of [
      ['/keys', 0],
      ['/members', 1],
      ['/oauth-apps', 0],
    ] as const) {
      const { meta } = await second.must<{ meta: Json }>(200, 'GET', path);
      expect([path, meta.total_items]).toEqual([path, total]);
    }
    expect((await second.post('/keys', { name: 'Theirs', user_id: user.id })).status).toBe(404);
    expect((await second.post('/workspaces', body)).status).toBe(403);
  });

  it('can share a member with another workspace, and the password or the named workspace selects the session', async () => {
    const third = await owner.must(201, 'POST', '/workspaces', {
      name: 'Third',
      owner_email: OWNER_EMAIL,
      owner_password: 'another password',
    });
    const first = (await owner.get('/session')).body.workspace as Json;
    const where = async (password: string, more: Json = {}) => {
      const answer = await new Browser(service).post('/session', { email: OWNER_EMAIL, password, ...more });
      return answer.status === 200 ? (answer.body.workspace as Json).id : answer.status;
    };
    expect(await where(OWNER_PASSWORD)).toBe(first.id);
    expect(await where('another password')).toBe(third.id);
    expect(await where('another password', { workspace_id: third.id })).toBe(third.id);
    expect(await where('another password', { workspace_id: first.id })).toBe(401);
  });

  it('are refused with the field and the code of each invalid value', async () => {
    expect(fieldsOf(await owner.post('/workspaces', {}))).toEqual([
      ['name', 'required'],
      ['owner_email', 'required'],
      ['owner_password', 'required'],
    ]);
    expect(
      fieldsOf(await owner.post('/workspaces', { name: 'x', owner_email: 'x', owner_password: 'short' })),
    ).toEqual([
      ['owner_email', 'invalid_format'],
      ['owner_password', 'too_short'],
    ]);
    expect(fieldsOf(await owner.post('/workspaces', { ...body, owner_password: 'x'.repeat(257) }))).toEqual([
      ['owner_password', 'too_long'],
    ]);
  });
});

describe('an OAuth app in the dashboard', () => {
  const app = {
    name: 'App',
    type: 'confidential',
    redirect_uris: [REDIRECT],
    scopes: ['user.read', 'user.read'],
  };

  it('has a secret that is shown when it is created and when it is rotated', async () => {
    const made = await owner.must(201, 'POST', '/oauth-apps', app);
    expect(made).toEqual({
      id: expect.any(String),
      ...app,
      scopes: ['user.read'],
      client_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      client_secret: expect.stringMatching(/^tl_cs_[0-9A-Za-z]{43}$/),
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const { data } = await owner.must<{ data: Json[] }>(200, 'GET', '/oauth-apps');
    expect(data.find(({ id }) => id === made.id)).toEqual({ ...made, client_secret: null });
    const rotated = await owner.must(200, 'POST', `/oauth-apps/${made.id}/rotate-secret`);
    expect(rotated.client_secret).toMatch(/^tl_cs_/);
    expect(rotated.client_secret).not.toBe(made.client_secret);
    expect((await owner.post(`/oauth-apps/${NOBODY}/rotate-secret`)).status).toBe(404);
  });

  it('that is public has no secret', async () => {
    const made = await owner.must(201, 'POST', '/oauth-apps', { ...app, type: 'public' });
    expect(made.client_secret).toBeNull();
    const answer = await owner.post(`/oauth-apps/${made.id}/rotate-secret`);
    expect([reasonOf(answer), (answer.body.details as Json).current]).toEqual(['invalid_state', 'public']);
  });

  it('can be changed except for its type and credentials, and can be removed', async () => {
    const made = await owner.must(201, 'POST', '/oauth-apps', app);
    const patch = {
      name: 'New',
      redirect_uris: ['http://127.0.0.1:9000/a', 'http://[::1]/b'],
      scopes: ['calls.read'],
    };
    const changed = await owner.must(200, 'PATCH', `/oauth-apps/${made.id}`, patch);
    expect(changed).toEqual({ ...made, ...patch, client_secret: null, updated_at: changed.updated_at });
    expect(await owner.must(200, 'PATCH', `/oauth-apps/${made.id}`, patch)).toEqual(changed);
    for (const field of ['type', 'client_id', 'client_secret'])
      expect(fieldsOf(await owner.patch(`/oauth-apps/${made.id}`, { [field]: 'public' }))).toEqual([
        [field, 'read_only'],
      ]);
    await owner.must(204, 'DELETE', `/oauth-apps/${made.id}`);
    expect((await owner.delete(`/oauth-apps/${made.id}`)).status).toBe(404);
    expect((await owner.patch(`/oauth-apps/${made.id}`, {})).status).toBe(404);
  });

  it('has each invalid value refused with its field and code', async () => {
    const wrong: [Json, [string, string]][] = [
      [{ name: '' }, ['name', 'too_short']],
      [{ type: 'native' }, ['type', 'invalid_value']],
      [{ redirect_uris: [] }, ['redirect_uris', 'too_short']],
      [{ redirect_uris: Array(11).fill(REDIRECT) }, ['redirect_uris', 'too_many']],
      [{ redirect_uris: ['http://localhost/a'] }, ['redirect_uris.0', 'invalid_format']],
      [{ redirect_uris: ['http://app.example/a'] }, ['redirect_uris.0', 'invalid_format']],
      [{ redirect_uris: [`${REDIRECT}#part`] }, ['redirect_uris.0', 'invalid_format']],
      [{ redirect_uris: ['myapp://callback'] }, ['redirect_uris.0', 'invalid_format']],
      [{ redirect_uris: ['https://user@app.example/'] }, ['redirect_uris.0', 'invalid_format']],
      [{ scopes: [] }, ['scopes', 'too_short']],
      [{ scopes: ['messages:read'] }, ['scopes.0', 'invalid_value']],
    ];
    for (const [body, problem] of wrong)
      expect(fieldsOf(await owner.post('/oauth-apps', { ...app, ...body }))).toContainEqual(problem);
    expect(fieldsOf(await owner.post('/oauth-apps', {})).map(([field]) => field)).toEqual([
      'name',
      'type',
      'redirect_uris',
      'scopes',
    ]);
  });

  it('is refused when fifty exist', async () => {
    let last = await owner.post('/oauth-apps', app);
    for (let made = 0; last.status === 201 && made < 50; made += 1)
      last = await owner.post('/oauth-apps', app);
    expect([reasonOf(last), last.body.details]).toEqual([
      'limit_reached',
      { reason: 'limit_reached', limit: 50 },
    ]);
  });
});
