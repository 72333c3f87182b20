import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { RateWindows } from '../../../src/core/access/rate-windows.js';
import { RequestCounter } from '../../../src/core/access/request-counter.js';
import {
  PostgresRateWindows,
  rateWindowsAsked,
  rateWindowsReturned,
} from '../../../src/store/access/rate-windows.js';
import { Notifications } from '../../../src/store/connection/notifications.js';
import { eventually } from '../../support/api-client.js';
import { silentLog } from '../../support/log.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { waitFor } from '../../support/wait-for.js';

const HOUR = Date.UTC(2026, 0, 1, 10);

let database: TestDatabase;
let windows: PostgresRateWindows;
let notifications: Notifications;
const running: RequestCounter[] = [];

beforeAll(async () => {
  database = await testDatabase();
  windows = new PostgresRateWindows(database.pool);
  notifications = new Notifications({
    connection: database.connection,
    pool: database.pool,
    log: silentLog,
  });
  await notifications.start();
  const windowOf = ([bucket = '', hour]: string[]) => ({ bucket, hour: Number(hour) });
  await notifications.listen(rateWindowsAsked, (payload) => {
    const [holder = '', ...window] = payload.split(' ');
    for (const counter of running) counter.asked(holder, windowOf(window));
  });
  await notifications.listen(rateWindowsReturned, (payload) => {
    for (const counter of running) counter.returned(windowOf(payload.split(' ')));
  });
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((counter) => counter.stop()));
  await windows.leaveAll();
});
afterAll(async () => {
  await notifications.stop();
  await database.drop();
});

/** The counter of one process. Its calls to the database are counted. */
function process({ heard = true, time = HOUR } = {}) {
  const clock = { ahead: 0, time };
  const calls = { join: 0, ask: 0, report: 0 };
  const counting: RateWindows = {
    join: (...all) => count('join', windows.join(...all)),
    ask: (...all) => count('ask', windows.ask(...all)),
    report: (...all) => count('report', windows.report(...all)),
    leave: (counter) => windows.leave(counter),
    leaveAll: () => windows.leaveAll(),
  };
  const count = <T>(name: keyof typeof calls, answer: T): T => {
    calls[name] += 1;
    return answer;
  };
  const counter = new RequestCounter({
    windows: counting,
    log: silentLog,
    now: () => performance.now() + clock.ahead,
    time: () => clock.time,
  });
  if (heard) running.push(counter);
  const take = (bucket: string, limit = 100, hour = HOUR) => counter.take(bucket, hour, limit);
  return { counter, clock, calls, take };
}

const times = <T>(count: number, work: () => T): T[] => Array.from({ length: count }, work);
const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);
const passed = (answers: readonly (number | undefined)[]) =>
  answers.filter((used) => used !== undefined).sort((one, other) => one - other);

async function stored(bucket: string) {
  const { rows } = await database.pool.query(
    'SELECT used, holder, shared FROM rate_windows WHERE key_id = $1 AND hour = $2',
    [bucket, new Date(HOUR)],
  );
  return rows[0] as { used: number; holder: string | null; shared: boolean } | undefined;
}

describe('the request counter of one process', () => {
  it('counts locally once it holds the window, and refuses at the limit', async () => {
    const { take, calls } = process();
    const bucket = randomUUID();
    expect(await take(bucket)).toBe(1);
    expect(times(99, () => take(bucket))).toEqual(upTo(100).slice(1));
    expect(times(3, () => take(bucket))).toEqual([undefined, undefined, undefined]);
    expect(calls).toEqual({ join: 1, ask: 1, report: 0 });
    expect(take(bucket, 101)).toBe(101);
  });

  it('asks once for requests of many keys that arrive together', async () => {
    const { take, calls } = process();
    const buckets = times(20, () => randomUUID());
    const answers = await Promise.all(buckets.flatMap((bucket) => times(10, () => take(bucket, 5))));
    expect(passed(answers)).toEqual(upTo(5).flatMap((used) => times(20, () => used)));
    expect(calls.ask).toBe(1);
  });

  it('stores its counts of many keys in one statement', async () => {
    const { take, calls } = process();
    const buckets = times(30, () => randomUUID());
    await Promise.all(buckets.map((bucket) => take(bucket)));
    for (const bucket of buckets) void Promise.all(times(3, () => take(bucket)));
    for (const bucket of buckets) {
      await eventually(
        () => stored(bucket),
        (row) => row?.used === 4,
      );
    }
    expect(calls.report).toBeLessThan(buckets.length);
  });

  it('starts a new window in the next hour, and releases the old one', async () => {
    const { take, clock } = process();
    const bucket = randomUUID();
    await take(bucket);
    expect(await take(bucket, 100, HOUR + 3_600_000)).toBe(1);
    clock.time += 3_600_000;
    await eventually(
      () => stored(bucket),
      (row) => row?.holder === null && row.used === 1,
    );
  });

  it('passes its counts to the next process when it stops', async () => {
    const bucket = randomUUID();
    const first = process();
    await first.take(bucket);
    void Promise.all(times(9, () => first.take(bucket)));
    await first.counter.stop();
    expect(await process().take(bucket)).toBe(11);
  });
});

describe('a request counter that stops', () => {
  it('makes one call at a time, even when another process asks for its window during the stop', async () => {
    const bucket = randomUUID();
    const { counter, take, calls } = process({ heard: false });
    await take(bucket);
    expect(times(9, () => take(bucket))).toHaveLength(9);
    const { holder } = (await stored(bucket)) ?? {};
    const locked = await database.pool.connect();
    try {
      await locked.query('BEGIN');
      await locked.query('SELECT 1 FROM rate_windows WHERE key_id = $1 FOR UPDATE', [bucket]);
      const stopped = counter.stop();
      await waitFor(() => expect(calls.report).toBe(1));
      counter.asked(String(holder), { bucket, hour: HOUR });
      // A round begins one turn of the event loop after its request.
      for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      expect(calls.report).toBe(1);
      await locked.query('ROLLBACK');
      await stopped;
    } finally {
      locked.release(true);
    }
    expect(await stored(bucket)).toMatchObject({ used: 10, holder: null });
  });

  it('rejects requests that wait for a window of another process', async () => {
    const bucket = randomUUID();
    await process().take(bucket);
    const { counter, take, calls } = process({ heard: false });
    const holder = running.splice(0);
    const waiting = take(bucket);
    await waitFor(() => expect(calls.ask).toBeGreaterThan(0));
    const rejected = expect(waiting).rejects.toThrow('shutting down');
    await counter.stop();
    await rejected;
    running.push(...holder);
  });

  it('takes no window for a request that arrives after the stop', async () => {
    const { counter, take } = process({ heard: false });
    await take(randomUUID());
    await counter.stop();
    await expect(take(randomUUID())).rejects.toThrow('shutting down');
    expect((await database.pool.query('SELECT 1 FROM rate_counters')).rows).toEqual([]);
  });
});

describe('the request counters of two processes', () => {
  it.each([true, false])(
    'accept exactly as many requests as the limit allows, notified: %s',
    async (heard) => {
      const bucket = randomUUID();
      const [one, two] = [process({ heard }), process({ heard })];
      await one.take(bucket, 250);
      const answers = await Promise.all([
        ...times(200, () => one.take(bucket, 250)),
        ...times(200, () => two.take(bucket, 250)),
      ]);
      expect(passed(answers)).toEqual(upTo(250).slice(1));
      if (!heard) await Promise.all([one.counter.stop(), two.counter.stop()]);
    },
  );

  it('alternate without losing a count', async () => {
    const bucket = randomUUID();
    const [one, two] = [process(), process()];
    const seen: (number | undefined)[] = [];
    for (let turn = 0; turn < 20; turn += 1) {
      seen.push(await one.take(bucket, 39));
      seen.push(await two.take(bucket, 39));
    }
    expect(seen).toEqual([...upTo(39), undefined]);
  });

  it('agree when both ask for a window at the same moment', async () => {
    const buckets = times(10, () => randomUUID());
    const processes = times(4, () => process());
    const answers = await Promise.all(
      buckets.flatMap((bucket) => processes.flatMap(({ take }) => times(20, () => take(bucket, 50)))),
    );
    expect(passed(answers)).toEqual(upTo(50).flatMap((used) => times(10, () => used)));
  });

  it('do not query the database for requests over the limit', async () => {
    const bucket = randomUUID();
    const [one, two] = [process(), process()];
    await one.take(bucket, 2);
    await two.take(bucket, 2);
    expect(await two.take(bucket, 2)).toBeUndefined();
    const asked = two.calls.ask;
    expect(two.take(bucket, 2)).toBeUndefined();
    expect(two.calls.ask).toBe(asked);
  });
});

describe('a request counter whose process no longer renews its lease', () => {
  it('is replaced from the stored counts once the lease has expired', async () => {
    const bucket = randomUUID();
    const dead = randomUUID();
    await windows.join(dead, 3_000);
    expect(await windows.ask(dead, [{ bucket, hour: HOUR, limit: 100, wanted: 1 }])).toMatchObject([
      { outcome: 'held', used: 0 },
    ]);
    await windows.report(dead, 3_000, [{ bucket, hour: HOUR, used: 7, returned: false }]);
    const { take } = process();
    const waiting = take(bucket);
    await eventually(
      () => stored(bucket),
      (row) => row?.shared === true,
    );
    await database.pool.query(
      `UPDATE rate_counters SET leased_until = now() - interval '1 ms' WHERE id = $1`,
      [dead],
    );
    expect(await waiting).toBe(8);
    expect(take(bucket)).toBe(9);
  });

  it('counts no request in a window of another process after its own process resumes', async () => {
    const [lent, kept] = [randomUUID(), randomUUID()];
    const sleeper = process();
    await Promise.all([sleeper.take(lent), sleeper.take(kept)]);
    sleeper.clock.ahead += 10_000;
    await database.pool.query(`UPDATE rate_counters SET leased_until = now() - interval '1 ms'`);
    const other = process();
    const taken = await other.take(lent);
    const back = sleeper.take(lent);
    expect(back).toBeInstanceOf(Promise);
    expect([await back, await sleeper.take(kept)]).toEqual([Number(taken) + 1, 2]);
    expect(
      passed(await Promise.all(times(200, () => [sleeper, other].map(({ take }) => take(lent))).flat())),
    ).toEqual(upTo(100).slice(Number(taken) + 1));
  });
});

describe('a request counter without the database', () => {
  it('counts in a held window until the lease ends, then requests fail', async () => {
    const { take, clock } = process();
    const bucket = randomUUID();
    await take(bucket);
    expect(take(bucket)).toBe(2);
    const broken = new RequestCounter({
      windows: { ...windows, join: () => Promise.reject(new Error('away')) } as unknown as RateWindows,
      log: silentLog,
    });
    await expect(broken.take(bucket, HOUR, 10)).rejects.toThrow('away');
    clock.ahead += 10_000;
    expect(await take(bucket)).toBe(3);
  });
});
