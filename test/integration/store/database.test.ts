import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase } from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Clock, clock } from '../../../src/contract/clock.js';
import { openDatabase } from '../../../src/store/connection/database.js';
import { DatabaseClock } from '../../../src/store/connection/database-clock.js';
import { Notifications } from '../../../src/store/connection/notifications.js';
import type { ProcessLiveness } from '../../../src/store/connection/process-liveness.js';
import { inTransaction } from '../../../src/store/connection/transaction.js';
import { silentLog } from '../../support/log.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { waitFor } from '../../support/wait-for.js';

let database: TestDatabase;

beforeEach(async () => {
  database = await testDatabase({ empty: true });
});

afterEach(() => database.drop());

describe('a database at DATABASE_URL', () => {
  const open = (databaseUrl: string) => openDatabase({ databaseUrl, dataDir: 'unused', log: silentLog });

  it('is opened with durable commits, and with faster ones for the queue', async () => {
    const opened = await open(database.url);
    const queuePool = opened.openQueuePool(2);
    const ask = `SELECT current_setting('synchronous_commit') commits, current_setting('search_path') path,
      current_setting('application_name') name`;
    expect((await opened.pool.query(ask)).rows[0]).toMatchObject({ commits: 'on', name: 'trunkline' });
    expect((await queuePool.query(ask)).rows[0]).toMatchObject({ commits: 'off', path: 'bullmq,public' });
    await queuePool.end();
    await opened.stop();
  });

  it('limits each wait for a lock to ten seconds', async () => {
    const opened = await open(database.url);
    const asked = await opened.pool.query(`SELECT current_setting('lock_timeout') AS "limit"`);
    expect(asked.rows).toEqual([{ limit: '10s' }]);
    await opened.stop();
  });

  it('sets the clock of the process', async () => {
    const wrong = performance.now();
    clock.agree(clock.now() + 3_600_000, wrong, wrong);
    const opened = await open(database.url);
    const asked = async () =>
      Number((await opened.pool.query('SELECT 1000 * extract(epoch FROM now()) ms')).rows[0].ms);
    const before = await asked();
    const now = clock.now();
    expect(now).toBeGreaterThanOrEqual(Math.floor(before) - 1);
    await waitFor(async () => expect(await asked()).toBeGreaterThanOrEqual(now));
    await opened.stop();
  });

  it('is asked for the time periodically, and not after the stop', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let asked = 0;
    const answers = [1_000, new Error('away'), 2_000];
    const pool = {
      query: async () => {
        const answer = answers[asked++];
        if (answer instanceof Error) throw answer;
        return { rows: [{ ms: String(answer) }] };
      },
    };
    const follower = new DatabaseClock(pool as never, new Clock());
    await follower.start();
    await vi.advanceTimersByTimeAsync(5_000);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(asked).toBe(3);
    follower.stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toBe(3);
    vi.useRealTimers();
  });

  it('reconnects by itself when its connections were cut, in use or idle', async () => {
    const opened = await open(database.url);
    const inUse = opened.pool.query('SELECT pg_sleep(30)').then(
      () => 'done',
      () => 'cut',
    );
    const borrowed = await opened.pool.connect();
    await opened.pool.query('SELECT 1');
    await waitFor(async () => {
      await database.cutConnections();
      expect(await Promise.race([inUse, sleep(50, 'running')])).toBe('cut');
    });
    await expect(borrowed.query('SELECT 1')).rejects.toThrow();
    borrowed.release(true);
    await waitFor(async () =>
      expect((await opened.pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]),
    );
    await opened.stop();
  });

  it.each([
    ['postgres://app:hidden@127.0.0.1:1/app', '127.0.0.1:1/app (ECONNREFUSED)'],
    ['postgres://app:hidden@no-such-host.invalid/app', 'no-such-host.invalid/app ('],
    ['mysql://app:hidden@127.0.0.1/app', 'of the form postgres://'],
    ['not an address with hidden', 'of the form postgres://'],
  ])('that is unreachable or wrong is reported without the password: %s', async (url, expected) => {
    const error = await open(url).catch((reason: Error) => reason);
    expect(error).toMatchObject({ name: 'DatabaseUnreachableError' });
    expect(String(error)).toContain(expected);
    expect(String(error)).not.toContain('hidden');
  });

  it('that does not exist is reported', async () => {
    await expect(open(database.url.replace(/test_\w+/, 'nowhere'))).rejects.toThrow(
      'the database does not exist',
    );
  });
});

describe('a transaction', () => {
  it('is committed completely or not at all', async () => {
    await database.pool.query('CREATE TABLE t (n int)');
    await inTransaction(database.pool, (client) => client.query('INSERT INTO t VALUES (1)'));
    const failed = inTransaction(database.pool, async (client) => {
      await client.query('INSERT INTO t VALUES (2)');
      throw new Error('changed my mind');
    });
    await expect(failed).rejects.toThrow('changed my mind');
    expect((await database.pool.query('SELECT n FROM t')).rows).toEqual([{ n: 1 }]);
  });
});

describe('notifications of the database', () => {
  let notifications: Notifications;

  beforeEach(async () => {
    notifications = new Notifications({
      connection: database.connection,
      pool: database.pool,
      log: silentLog,
    });
    await notifications.start();
  });

  afterEach(() => notifications.stop());

  it('reach every listener of their channel until it ends', async () => {
    const one: string[] = [];
    const two: string[] = [];
    const end = await notifications.listen('keys', (payload) => one.push(payload));
    await notifications.listen('keys', (payload) => two.push(payload));
    await notifications.listen('other', (payload) => two.push(`other ${payload}`));
    await notifications.notify('keys', 'a');
    await waitFor(() => expect([one, two]).toEqual([['a'], ['a']]));
    end();
    await notifications.notify('keys', 'b');
    await waitFor(() => expect(two).toEqual(['a', 'b']));
    expect(one).toEqual(['a']);
  });

  it('have arrived when a waiter continues, and a waiter also continues after the stop', async () => {
    const got: string[] = [];
    await notifications.listen('keys', (payload) => got.push(payload));
    for (let sent = 1; sent <= 100; sent += 1) {
      await notifications.notify('keys', String(sent));
      await notifications.heard();
      expect(got).toHaveLength(sent);
    }
    await notifications.stop();
    await notifications.heard();
    expect(got).toHaveLength(100);
  });

  it('arrive again after the connection was cut, and listeners are notified that they may have missed some', async () => {
    const got: string[] = [];
    let reconnects = 0;
    await notifications.listen('keys', (payload) => got.push(payload));
    notifications.onReconnect(() => {
      reconnects += 1;
    });
    await database.cutConnections();
    await waitFor(() => expect(reconnects).toBe(1));
    await waitFor(() => notifications.notify('keys', 'back'));
    await waitFor(() => expect(got).toContain('back'));
  });

  it('arrive on a channel that is subscribed to while the connection is being renewed', async () => {
    const got: string[] = [];
    let signs = 0;
    const attach = async () => {
      signs += 1;
      if (signs > 1) await renewed.listen('late', (payload) => got.push(payload));
    };
    const liveness = { attach } as unknown as ProcessLiveness;
    const renewed = new Notifications({
      connection: database.connection,
      pool: database.pool,
      log: silentLog,
      liveness,
    });
    await renewed.start();
    await database.cutConnections();
    await waitFor(() => expect([signs, renewed.listening]).toEqual([2, true]));
    await waitFor(() => renewed.notify('late', 'heard'));
    await waitFor(() => expect(got).toEqual(['heard']));
    await renewed.stop();
  });

  it.each(['heartbeat', 'subscription'])(
    'move to a new connection when a %s fails although the connection is open',
    async (failing) => {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
      const connection = { ...database.connection, application_name: 'failing' };
      const liveness = { attach: refuseFirst() } as unknown as ProcessLiveness;
      const moved = new Notifications({ connection, pool: database.pool, log: silentLog, liveness });
      let missed = 0;
      moved.onReconnect(() => {
        missed += 1;
      });
      try {
        await moved.start();
        const got: string[] = [];
        if (failing === 'heartbeat') vi.advanceTimersByTime(15_000);
        else await moved.listen('keys', (payload) => got.push(payload));
        await waitFor(() => expect(missed).toBe(1));
        if (failing === 'heartbeat') await moved.listen('keys', (payload) => got.push(payload));
        const open = `SELECT 1 FROM pg_stat_activity WHERE application_name = 'failing'`;
        await waitFor(async () => expect((await database.pool.query(open)).rows).toHaveLength(1));
        await moved.notify('keys', 'a');
        await waitFor(() => expect(got).toEqual(['a']));
      } finally {
        vi.useRealTimers();
        await moved.stop();
      }
    },
  );

  it('leave no connection behind when a subscription fails', async () => {
    const liveness = {
      attach: () => Promise.reject(new Error('Not here.')),
    } as unknown as ProcessLiveness;
    const connection = { ...database.connection, application_name: 'listening in vain' };
    const refused = new Notifications({ connection, pool: database.pool, log: silentLog, liveness });
    await expect(refused.start()).rejects.toThrow('Not here.');
    const left = `SELECT 1 FROM pg_stat_activity WHERE application_name = 'listening in vain'`;
    await waitFor(async () => expect((await database.pool.query(left)).rows).toEqual([]));
  });

  it('survive a listener that throws', async () => {
    const got: string[] = [];
    await notifications.listen('keys', () => {
      throw new Error('listener broke');
    });
    await notifications.listen('keys', (payload) => got.push(payload));
    await notifications.notify('keys', 'x');
    await waitFor(() => expect(got).toEqual(['x']));
  });

  it('refuse a channel name that could be SQL', async () => {
    await expect(notifications.listen('a; DROP TABLE t', () => undefined)).rejects.toThrow(
      'Not a channel name',
    );
  });
});

/** Leaves the first connection in a failed transaction, in which the server refuses every statement. */
function refuseFirst() {
  let isFirst = true;
  return async (client: ClientBase) => {
    if (isFirst) await client.query('BEGIN; SELECT 1 / 0').catch(() => undefined);
    isFirst = false;
  };
}
