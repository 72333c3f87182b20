import type { Pool } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import type { NewConnection } from '../../../src/core/platforms/ports.js';
import { PostgresConnections } from '../../../src/store/platforms/connections.js';
import { AesSecretBox } from '../../../src/store/secrets/secret-box.js';
import { beforeEachOn } from '../../support/each-test.js';
import { makeWorld, values, type World } from '../../support/people.js';

const MAX_CONNECTIONS = 100;

let world: World;
let connections: PostgresConnections;
let other: World;
let count: () => Promise<number | undefined>;
let pool: Pool;

beforeEachOn(async (database) => {
  ({ pool } = database);
  world = await makeWorld(pool);
  other = await makeWorld(pool);
  connections = new PostgresConnections(pool, new AesSecretBox(Buffer.alloc(32, 7)));
  count = async () =>
    (
      await values<number>(pool, 'SELECT count(*)::int FROM connections WHERE workspace_id = $1', [
        world.workspaceId,
      ])
    )[0];
  // The world has one connection. One place is left.
  await pool.query(
    `INSERT INTO connections (id, workspace_id, platform, name, status, health, created_by)
     SELECT uuid7(), $1, 'sms', 'Connection ' || n, 'connected', '{}', $2 FROM generate_series(1, $3::int) n`,
    [world.workspaceId, world.memberId, MAX_CONNECTIONS - 2],
  );
});

const connection = (fields: Partial<NewConnection> = {}): NewConnection => ({
  id: uuidv7(),
  workspaceId: world.workspaceId,
  platform: 'sms',
  name: 'Last',
  enabled: true,
  credentials: { token: 'secret' },
  settings: {} as NewConnection['settings'],
  createdBy: world.memberId,
  ...fields,
});

describe('the creation of a connection', () => {
  it('that is repeated at the limit returns the existing connection, and another one is refused', async () => {
    const last = connection();
    const made = await connections.create(last);
    expect(await connections.create(last)).toEqual(made);
    await expect(connections.create(connection())).rejects.toMatchObject({
      code: 'conflict',
      details: { reason: 'limit_reached', limit: MAX_CONNECTIONS },
    });
    expect(await count()).toBe(MAX_CONNECTIONS);
  });

  it('that is requested several times at once for the last place makes one connection', async () => {
    const last = connection();
    const made = await Promise.all([1, 2, 3].map(() => connections.create(last)));
    expect(new Set(made.map(({ id }) => id))).toEqual(new Set([last.id]));
    expect(await count()).toBe(MAX_CONNECTIONS);
  });

  it('does not wait for a transaction that adds a record to the workspace', async () => {
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      await client.query(`INSERT INTO teams (id, workspace_id, name) VALUES (uuid7(), $1, 'Sales')`, [
        world.workspaceId,
      ]);
      const last = connection();
      expect((await connections.create(last)).id).toBe(last.id);
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  });

  it('with an id of another workspace does not return the connection of that workspace', async () => {
    await expect(connections.create(connection({ id: other.connectionId }))).rejects.toThrow(
      'duplicate key value',
    );
  });
});
