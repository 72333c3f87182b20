import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../../../src/store/connection/database.js';
import { Notifications } from '../../../src/store/connection/notifications.js';
import { runChild } from '../../support/child.js';
import { startPooler } from '../../support/fake-pooler.js';
import { recordingLog, silentLog } from '../../support/log.js';
import { startOldPostgres } from '../../support/old-postgres.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { waitFor } from '../../support/wait-for.js';

const SLEEPER = 'test/support/database-sleeper.ts';

let database: TestDatabase;
let cleanups: (() => Promise<unknown>)[];

beforeEach(async () => {
  database = await testDatabase();
  cleanups = [() => database.drop()];
});

afterEach(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
});

async function open(databaseUrl: string, log = recordingLog()) {
  const opened = await openDatabase({ databaseUrl, dataDir: 'unused', log });
  const [queue, reader] = [opened.openQueuePool(1), opened.openReaderPool()];
  cleanups.push(async () => {
    await Promise.all([queue.end(), reader.end()]);
    await opened.stop();
  });
  return { opened, log, pools: { main: opened.pool, queue, reader } };
}

function addressOf(port: number): string {
  return `postgres://trunkline@127.0.0.1:${port}/${database.connection.database}`;
}

describe('every session of the service', () => {
  const ASKED = `SELECT current_setting('jit') AS jit, current_setting('statement_timeout') AS longest, current_setting('client_connection_check_interval') AS checks,
    current_setting('random_page_cost') AS pages, current_setting('role') AS role, current_setting('search_path') AS path`;

  it.each([
    ['directly', undefined],
    ['through a pooler that refuses start-up options', 'refuse'],
    ['through a pooler that drops start-up options', 'drop'],
  ] as const)('has its settings when it is connected %s', async (_, mode) => {
    const pooler = mode && (await startPooler(String(database.connection.host), mode));
    if (pooler) cleanups.push(() => pooler.close());
    const { pools, log } = await open(pooler ? addressOf(pooler.port) : database.url);
    const common = { jit: 'off', checks: '5s' };
    const ask = async (pool: typeof pools.main) => (await pool.query(ASKED)).rows[0];
    expect(await ask(pools.main)).toMatchObject({ ...common, longest: '5min', pages: '1.1', role: 'none' });
    expect(await ask(pools.queue)).toMatchObject({ ...common, longest: '5min', path: 'bullmq,public' });
    const reader = { longest: '30s', pages: '1.1', role: 'trunkline_member' };
    expect(await ask(pools.reader)).toMatchObject({ ...common, ...reader });
    expect(log.lines.map(({ event }) => event)).toEqual(pooler ? ['database.options_refused'] : []);
  });

  it('has its settings also on the listening connection, in addition to the options of the address', async () => {
    const { opened } = await open(`${database.url}&options=-c%20geqo_threshold%3D20`);
    const shown = `SELECT current_setting('geqo_threshold') AS geqo, current_setting('jit') AS jit,
      current_setting('statement_timeout') AS longest`;
    const settings = [{ geqo: '20', jit: 'off', longest: '5min' }];
    expect((await opened.pool.query(shown)).rows).toEqual(settings);
    const connection = { ...opened.connection, application_name: 'listening' };
    const attach = vi.fn(async (client: { query: typeof opened.pool.query }) => {
      expect((await client.query(shown)).rows).toEqual(settings);
    });
    const liveness = { attach } as never;
    const notifications = new Notifications({
      connection,
      pool: opened.pool,
      log: silentLog,
      liveness,
    });
    await notifications.start();
    expect(attach).toHaveBeenCalledOnce();
    await notifications.stop();
  });

  it('ends a statement that takes longer than its limit, and stays usable', async () => {
    const { pools } = await open(`${database.url}&options=-c%20statement_timeout%3D50`);
    for (const pool of [pools.main, pools.queue]) {
      await expect(pool.query('SELECT pg_sleep(60)')).rejects.toMatchObject({ code: '57014' });
      expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    }
  });

  it('ends its statement and frees its locks when its process was killed', async () => {
    const child = await runChild(SLEEPER, [
      String(database.connection.host),
      String(database.connection.database),
    ]);
    const holders = async () =>
      (await database.pool.query(`SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = 42`)).rowCount;
    await waitFor(async () => expect(await holders()).toBe(1));
    await child.kill();
    await waitFor(async () => expect(await holders()).toBe(0));
  });
});

describe('the version of the server', () => {
  const start = async (version: number) => {
    const server = await startOldPostgres(version);
    cleanups.push(() => server.close());
    return `postgres://someone:hidden@127.0.0.1:${server.port}/bridge`;
  };

  it('is refused when it is older than the oldest supported one, and the error names both', async () => {
    const refused = openDatabase({
      databaseUrl: await start(140_012),
      dataDir: 'unused',
      log: silentLog,
    });
    await expect(refused).rejects.toMatchObject({
      name: 'DatabaseUnsupportedError',
      message: expect.stringMatching(
        /^The server at 127\.0\.0\.1:\d+\/bridge is PostgreSQL 14\. .*PostgreSQL 15 or newer/,
      ),
    });
  });
});
