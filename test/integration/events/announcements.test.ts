import { v7 as uuid7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

let database: TestDatabase;
let workspace: string;

beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(async () => {
  workspace = uuid7();
  await database.pool.query("INSERT INTO workspaces (id, name) VALUES ($1, 'W')", [workspace]);
});
afterAll(() => database.drop());

const hear = (until: string) =>
  database.pool.query('INSERT INTO event_interest (workspace_id, until) VALUES ($1, $2::timestamptz)', [
    workspace,
    until,
  ]);
const openStream = (expires: string) =>
  database.pool.query(`INSERT INTO open_streams VALUES ($1, $2, $1, now() + $3::interval)`, [
    uuid7(),
    workspace,
    expires,
  ]);

/** How many of the workspace's new events the jobs in the outbox name. */
async function announced(count: number): Promise<number> {
  await database.pool.query('DELETE FROM outbox');
  await database.pool.query(
    `INSERT INTO events (workspace_id, type, data) SELECT $1, 'message.created', '{}' FROM generate_series(1, $2::int)`,
    [workspace, count],
  );
  const { rows } = await database.pool.query<{ events: string }>(
    `SELECT payload->>'events' AS events FROM outbox WHERE topic = 'event'`,
  );
  return rows.reduce((sum, { events }) => sum + events.split(',').length, 0);
}

describe('the job of new events', () => {
  it('is created if a webhook subscribes to them', async () => {
    await hear('infinity');
    expect(await announced(3)).toBe(3);
  });

  it('is created if a stream is open', async () => {
    await hear('tomorrow');
    await openStream('30 s');
    expect(await announced(2)).toBe(2);
  });

  it('is not created if they are only kept for a stream that may be resumed', async () => {
    await hear('tomorrow');
    await openStream('-1 s');
    expect(await announced(2)).toBe(0);
  });
});
