import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually, type Json } from '../support/api-client.js';
import { ownerBrowser } from '../support/browser.js';
import { type TestDatabase, testDatabase } from '../support/postgres.js';
import { type Service, startService } from '../support/service.js';

let database: TestDatabase;
let services: Service[];

beforeAll(async () => {
  database = await testDatabase();
  const env = { DATABASE_URL: database.url, TRUNKLINE_MASTER_KEY: randomBytes(32).toString('base64') };
  const first = await startService({ env });
  services = [first, await startService({ env, key: first.key })];
});
afterAll(async () => {
  await Promise.all((services ?? []).map((service) => service.stop()));
  await database?.drop();
});

it('a new role restricts the keys of its member in every process, and the former role restores them', async () => {
  const [service] = services as [Service];
  const owner = await ownerBrowser(service);
  const { member } = await owner.must<{ member: Json }>(201, 'POST', '/members', {
    kind: 'bot',
    role: 'admin',
    username: 'clerk',
    display_name: 'Clerk',
  });
  const scopes = ['messages:read', 'conversations:write'];
  const make = (environment: string) =>
    owner.must(201, 'POST', '/keys', {
      name: 'Clerk',
      environment,
      user_id: member.id,
      scopes,
      rate_limit: 0,
    });
  const keys = [await make('live'), await make('test')];
  const clients = services.flatMap((each) => keys.map(({ key }) => each.client(String(key))));
  const seen = async () => {
    const reads = await Promise.all(clients.map((client) => client.get('/openapi/messages')));
    // Scopes are checked before the body, which lacks the required fields.
    const writes = await Promise.all(clients.map((client) => client.post('/openapi/conversations', {})));
    return [
      ...new Set(reads.map(({ status }) => status)),
      ...new Set(writes.map(({ status }) => status)),
    ].join();
  };
  expect(await seen()).toBe('200,400');
  await owner.must(200, 'PATCH', `/members/${member.id}`, { role: 'viewer' });
  await eventually(seen, (statuses) => statuses === '200,403');
  expect(service.log).toContainEqual(
    expect.objectContaining({ msg: 'member.role_set', user_id: member.id, role: 'viewer' }),
  );
  await owner.must(200, 'PATCH', `/members/${member.id}`, { role: 'member' });
  await eventually(seen, (statuses) => statuses === '200,400');
});
