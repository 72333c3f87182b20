import { readdir } from 'node:fs/promises';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linkOf, verifyChains } from '../../../src/core/audit/chain.js';
import { readAuditChains } from '../../../src/store/access/audit-chain.js';
import { inTransaction } from '../../../src/store/connection/transaction.js';
import { install } from '../../../src/store/install.js';
import { writeAuditRows } from '../../support/audit-chain.js';
import { silentLog } from '../../support/log.js';
import { makeWorld, type World } from '../../support/people.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

const WRITE = `SELECT write_audit_log($1, 'test.row', 'user', $2, NULL, NULL)`;

/** The installer's wait for a transaction that has written to the log. */
const WAITING = `SELECT FROM pg_locks WHERE NOT granted AND relation = 'audit_log'::regclass`;

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database?.drop());

/** The report of each workspace, after a check that every row is in a chain. */
async function reports(pool: Pool) {
  const links = [];
  for await (const { record } of readAuditChains(pool)) {
    expect(record?.chain).toBeTruthy();
    if (record?.chain) links.push(linkOf(record, record.chain));
  }
  const found = await verifyChains(links, { partial: false, expected: [] });
  return new Map(found.map((report) => [report.workspaceId, report]));
}

describe('the chain of the audit log', () => {
  it('refuses changes, deletions and truncation of its rows and places', async () => {
    const { workspaceId } = await makeWorld(database.pool);
    await writeAuditRows(database.pool, workspaceId, 1);
    for (const statement of [
      `UPDATE audit_log SET action = 'none'`,
      'DELETE FROM audit_log',
      'TRUNCATE audit_log',
      'UPDATE audit_chain SET number = 9',
      'DELETE FROM audit_chain',
      'TRUNCATE audit_chain',
    ])
      await expect(database.pool.query(statement)).rejects.toThrow('neither changed nor deleted');
  });

  it('has no place for a row whose transaction was rolled back', async () => {
    const { workspaceId, memberId } = await makeWorld(database.pool);
    const before = (await reports(database.pool)).get(workspaceId)?.rows ?? 0;
    await inTransaction(database.pool, async (client) => {
      await client.query('SAVEPOINT part');
      await client.query(WRITE, [workspaceId, memberId]);
      await client.query('ROLLBACK TO part');
      await client.query(WRITE, [workspaceId, memberId]);
    });
    await expect(
      inTransaction(database.pool, async (client) => {
        await client.query(WRITE, [workspaceId, memberId]);
        throw new Error('given up');
      }),
    ).rejects.toThrow('given up');
    expect((await reports(database.pool)).get(workspaceId)).toMatchObject({
      rows: before + 1,
      head: { number: before + 1 },
      fault: undefined,
    });
  });

  it('is unbroken when many connections write to two logs in any order and hold other locks', async () => {
    const worlds = [await makeWorld(database.pool), await makeWorld(database.pool)] as const;
    const before = await reports(database.pool);
    const TRIES = 20;
    const touch = ({ workspaceId }: World) => ({
      text: 'SELECT FROM workspaces WHERE id = $1 FOR NO KEY UPDATE',
      values: [workspaceId],
    });
    const writer = async (nth: number) => {
      const [first, second] = nth % 2 === 0 ? worlds : [worlds[1], worlds[0]];
      for (let at = 0; at < TRIES; at += 1)
        await inTransaction(database.pool, async (client) => {
          // Half of them take the lock before their first row, and the others after it.
          if (nth % 4 < 2) await client.query(touch(worlds[0]));
          await client.query(WRITE, [first.workspaceId, first.memberId]);
          if (nth % 4 >= 2) await client.query(touch(worlds[0]));
          await client.query(WRITE, [second.workspaceId, second.memberId]);
        });
    };
    await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map(writer));
    const after = await reports(database.pool);
    for (const { workspaceId } of worlds) {
      const rows = (before.get(workspaceId)?.rows ?? 0) + 8 * TRIES;
      expect(after.get(workspaceId)).toMatchObject({ rows, head: { number: rows }, fault: undefined });
    }
  });

  it('starts with the rows of a release without a chain, and continues with those that the release writes during the upgrade', async () => {
    const old = await testDatabase({ empty: true });
    try {
      const files = (await readdir(new URL('../../../src/store/schema', import.meta.url))).sort();
      const upTo = files.findIndex((name) => name.endsWith('_audit_chain.sql'));
      await install(old.pool, { log: silentLog, release: '0.0.9', upTo });
      const id = '01900000-0000-7000-8000-000000000002';
      await old.pool.query(`INSERT INTO workspaces (id, name) VALUES ($1, 'Old')`, [id]);
      const insert = (action: string) => ({
        text: `INSERT INTO audit_log (workspace_id, actor_type, action, object_type) VALUES ($1, 'system', $2, 'user')`,
        values: [id, action],
      });
      for (const action of ['one', 'two']) await old.pool.query(insert(action));
      // A running release has written a row and commits it during the installation.
      const client = await old.pool.connect();
      await client.query('BEGIN');
      await client.query(insert('three'));
      const installed = install(old.pool, { log: silentLog, release: '0.1.0' });
      await expect.poll(async () => (await old.pool.query(WAITING)).rowCount).toBe(1);
      await client.query('COMMIT');
      client.release();
      await installed;
      await old.pool.query(insert('four'));
      const actions: string[] = [];
      for await (const { record } of readAuditChains(old.pool)) actions.push(String(record?.action));
      expect(actions).toEqual(['one', 'two', 'three', 'four']);
      expect((await reports(old.pool)).get(id)).toMatchObject({ rows: 4, fault: undefined });
    } finally {
      await old.drop();
    }
  });
});
