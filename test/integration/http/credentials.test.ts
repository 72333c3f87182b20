import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateApiKey } from '../../../src/core/access/api-key-format.js';
import { credentialsChannel, PostgresApiKeys } from '../../../src/store/access/api-keys.js';
import { connectClient } from '../../../src/store/connection/client.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

let database: TestDatabase;
let keys: PostgresApiKeys;
const workspaceId = randomUUID();
const userId = randomUUID();

beforeAll(async () => {
  database = await testDatabase();
  keys = new PostgresApiKeys(database.pool);
  await database.pool.query(`INSERT INTO workspaces (id, name) VALUES ($1, 'w')`, [workspaceId]);
  await database.pool.query(
    `INSERT INTO users (id, workspace_id, kind, role, username, display_name) VALUES ($1, $2, 'member', 'owner', 'ada', 'Ada')`,
    [userId, workspaceId],
  );
});
afterAll(() => database.drop());

async function newKey() {
  const generated = generateApiKey('live');
  const id = randomUUID();
  await keys.insert({
    id,
    workspaceId,
    userId,
    name: 'n',
    environment: 'live',
    scopes: ['messages:read'],
    rateLimit: 5,
    ipAllowlist: ['10.0.0.0/8'],
    hash: generated.hash,
    hint: generated.hint,
    expiresAt: null,
  });
  return { id, hash: generated.hash };
}

describe('stored API keys', () => {
  it('are found by their hash, with the state of their user', async () => {
    const { id, hash } = await newKey();
    expect(await keys.findByHash(hash)).toEqual({
      id,
      workspaceId,
      userId,
      environment: 'live',
      scopes: ['messages:read'],
      rateLimit: 5,
      ipAllowlist: ['10.0.0.0/8'],
      expiresAt: null,
      revokedAt: null,
      userStatus: 'active',
      userRole: 'owner',
      view: null,
      isGranted: false,
    });
    expect(await keys.findByHash(Buffer.alloc(32))).toBeUndefined();
  });

  it('are revoked once, only in their workspace, and every process is notified', async () => {
    const { id, hash } = await newKey();
    const other = await newKey();
    const client = await connectClient(database.connection);
    const heard: (string | undefined)[] = [];
    client.on('notification', ({ payload }) => heard.push(payload));
    await client.query(`LISTEN ${credentialsChannel}`);
    expect(await keys.revoke([randomUUID()], id)).toBe(false);
    expect(await keys.revoke([randomUUID(), workspaceId], id)).toBe(true);
    expect(await keys.revoke([workspaceId], id)).toBe(false);
    expect((await keys.findByHash(hash))?.revokedAt).toBeInstanceOf(Date);
    await keys.revokeOfUser(userId);
    expect((await keys.findByHash(other.hash))?.revokedAt).toBeInstanceOf(Date);
    await keys.revokeOfUser(userId);
    await client.query('SELECT 1');
    await client.end();
    expect(heard).toEqual([id, userId]);
  });

  it('keep the latest time of use', async () => {
    const { id } = await newKey();
    const late = new Date('2026-02-01T00:00:00Z');
    await keys.markUsed(new Map([[id, late]]));
    await keys.markUsed(new Map([[id, new Date('2026-01-01T00:00:00Z')]]));
    const { rows } = await database.pool.query('SELECT last_used_at FROM api_keys WHERE id = $1', [id]);
    expect(rows).toEqual([{ last_used_at: late }]);
  });
});
