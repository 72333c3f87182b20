import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPool } from '../../../src/store/connection/pools.js';
import { PostgresPresence } from '../../../src/store/people/users.js';
import { lockWaiters } from '../../support/lock-waiters.js';
import { silentLog } from '../../support/log.js';
import { makeMember, makeWorld, values, type World } from '../../support/people.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { waitUntil } from '../../support/wait-for.js';

let database: TestDatabase;
let world: World;

beforeAll(async () => {
  database = await testDatabase();
  world = await makeWorld(database.pool);
});

afterAll(() => database.drop());

const ONLINE = `UPDATE users SET presence = 'online', last_seen_at = now() - interval '1 hour' WHERE id = $1`;
const LOCK = 'SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE';

test('A heartbeat locks members in the order of their ids, so that another process can lock them in this order.', async () => {
  const [low, high] = [uuidv7(), uuidv7()] as const;
  // The scan of the table finds the higher id first.
  for (const id of [high, low]) {
    await makeMember(database.pool, world.workspaceId, `m_${id.slice(-12)}`, id);
  }
  // Moved rows keep this order.
  for (const id of [high, low]) await database.pool.query(ONLINE, [id]);
  const scanning = createPool(
    { ...database.connection, max: 1, options: '-c enable_indexscan=off -c enable_bitmapscan=off' },
    silentLog,
  );
  const other = await database.pool.connect();
  try {
    await other.query('BEGIN');
    await other.query(LOCK, [low]);
    const beat = new PostgresPresence(scanning).beat([high, low]);
    const ended = beat.then(
      () => 'done',
      (error: Error) => error.message,
    );
    await waitUntil(async () => (await lockWaiters(database.pool)) === 1);
    await other.query(`${LOCK} NOWAIT`, [high]);
    await other.query('COMMIT');
    expect(await ended).toBe('done');
  } finally {
    other.release(true);
    await scanning.end();
  }
  const seen = `SELECT last_seen_at > now() - interval '1 minute' FROM users WHERE id = ANY ($1)`;
  expect(await values(database.pool, seen, [[low, high]])).toEqual([true, true]);
});
