import { expect, it } from 'vitest';
import { Stopwatch } from '../../../../src/core/common/stopwatch.js';
import { DeliveryWorker } from '../../../../src/core/deliveries/delivery-worker.js';
import type { DeliveryStore } from '../../../../src/core/deliveries/ports.js';
import type { DeliveryTask, TaskResult } from '../../../../src/core/deliveries/task.js';
import type { RateBuckets } from '../../../../src/core/rates/ports.js';
import { Rates } from '../../../../src/core/rates/rates.js';
import { deliveryTask } from '../../../support/delivery-task.js';
import { silentLog } from '../../../support/log.js';
import { ScriptedPlatform } from '../../../support/scripted-platform.js';

const task = (id: string, text: string): DeliveryTask => deliveryTask({ delivery_id: id }, { text });

const noBuckets: RateBuckets = {
  reserve: async () => 0,
  take: async (_id, writes) => writes.map(() => 0),
  hold: async () => undefined,
  nextLaneReleaseMs: async () => undefined,
};

/** Claims return in order. The second one reads before the first task is settled, and returns afterwards. */
function lanesBehindOneAnother(): DeliveryStore {
  let recorded: () => void = () => undefined;
  const first = new Promise<void>((resolve) => {
    recorded = resolve;
  });
  const answers = [
    async () => [task('one', 'first')],
    async () => {
      await first;
      // The result of `settle` is read before this one.
      await new Promise((resolve) => setImmediate(resolve));
      return [];
    },
    async () => [task('two', 'second')],
  ];
  return {
    claim: async () => (await answers.shift()?.()) ?? [],
    settle: async () => recorded(),
    progress: async () => true,
  } as unknown as DeliveryStore;
}

it('checks again when a lane was freed during a check', async () => {
  const platform = new ScriptedPlatform();
  const wakeUps = { wakeConnection: async () => undefined };
  const deliver = new DeliveryWorker(
    lanesBehindOneAnother(),
    platform,
    wakeUps,
    new Rates(noBuckets),
    silentLog,
  );
  const { signal } = new AbortController();
  // Reminds of the second task, which waits after the first.
  platform.script = (_, number) => {
    if (number === 1) void deliver.run('connection', signal);
    return undefined;
  };
  await deliver.run('connection', signal);
  expect(platform.calls.map(({ text }) => text)).toEqual(['first', 'second']);
});

it('checks for more work only after a wake-up', async () => {
  const more = [['l1'], []];
  const answers = [[task('one', 'first')], [task('two', 'second')]];
  let looks = 0;
  const store = {
    claim: async () => {
      looks += 1;
      return answers.shift() ?? [];
    },
    settle: async () => more.shift() ?? [],
    withheld: async () => [],
  } as unknown as DeliveryStore;
  const platform = new ScriptedPlatform();
  const wakeUps = { wakeConnection: async () => undefined };
  const deliver = new DeliveryWorker(store, platform, wakeUps, new Rates(noBuckets), silentLog);
  await deliver.run('connection', new AbortController().signal);
  expect(platform.calls.map(({ text }) => text)).toEqual(['first', 'second']);
  expect(looks).toBe(2);
});

/** The result of a task that was leased this many milliseconds ago, if the database fails for all calls but `settle`. */
async function recordedOf(one: DeliveryTask, leasedForMs: number) {
  const settled: TaskResult[] = [];
  const store = {
    claim: async () => [],
    progress: () => Promise.reject(new Error('The database is away.')),
    settle: async (results: readonly TaskResult[]) => {
      settled.push(...results);
      return [];
    },
    withheld: async () => [],
  } as unknown as DeliveryStore;
  const platform = new ScriptedPlatform();
  const wakeUps = { wakeConnection: async () => undefined };
  const deliver = new DeliveryWorker(store, platform, wakeUps, new Rates(noBuckets), silentLog);
  deliver.enqueueLeased('connection', { tasks: [one], askedAt: new Stopwatch(leasedForMs) });
  await deliver.runHandoff('connection', new AbortController().signal);
  return { settled, calls: platform.calls };
}

it('releases tasks whose checks failed before their first write', async () => {
  const { settled, calls } = await recordedOf(task('one', 'waited'), 10_000);
  expect(settled.map(({ outcome, move }) => [outcome, move?.to])).toEqual([['waiting', 'queued']]);
  expect(calls).toEqual([]);
});

it('releases a lookup whose checks failed, so that it is repeated soon', async () => {
  const lookup = { ...task('one', 'lost'), operation: 'reconcile' as const, attempt_id: null };
  const [result] = (await recordedOf(lookup, 10_000)).settled;
  expect(result).toMatchObject({ outcome: 'waiting', move: null });
  expect(Date.parse(result?.change?.next_attempt_at ?? '')).toBeLessThanOrEqual(Date.now() + 1_000);
});

it('starts no write once the time of the message is over', async () => {
  const late = { ...task('one', 'late'), expires_at: new Date(Date.now() - 1).toISOString() };
  const { settled, calls } = await recordedOf(late, 0);
  expect(calls).toEqual([]);
  expect(settled.map(({ outcome, move }) => [outcome, move?.to, move?.attempt_count])).toEqual([
    ['waiting', 'queued', 0],
  ]);
});

it('ends after running work, also when it could not check for more', async () => {
  let isAway = false;
  let refused = 0;
  const store = {
    claim: async () => {
      if (isAway) {
        refused += 1;
        throw new Error('The database is away.');
      }
      isAway = true;
      return [task('one', 'slow')];
    },
    settle: async () => [],
    withheld: async () => [],
  } as unknown as DeliveryStore;
  const platform = new ScriptedPlatform();
  let answer: () => void = () => undefined;
  platform.script = () =>
    new Promise((resolve) => {
      answer = () => resolve(undefined);
    });
  const wakeUps = { wakeConnection: async () => undefined };
  const deliver = new DeliveryWorker(store, platform, wakeUps, new Rates(noBuckets), silentLog);
  const { signal } = new AbortController();
  let hasEnded = false;
  const run = deliver.run('connection', signal).finally(() => {
    hasEnded = true;
  });
  await expect.poll(() => platform.calls.length).toBe(1);
  await deliver.run('connection', signal);
  await expect.poll(() => refused).toBe(1);
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(hasEnded).toBe(false);
  answer();
  await expect(run).rejects.toThrow('The database is away.');
});
