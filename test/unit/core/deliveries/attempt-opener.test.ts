import { expect, it } from 'vitest';
import { AttemptOpener } from '../../../../src/core/deliveries/dispatch/attempt-opener.js';
import { openAheadOf } from '../../../../src/core/deliveries/dispatch/lease-sizes.js';
import type { DeliveryTask } from '../../../../src/core/deliveries/task.js';
import { deliveryTask } from '../../../support/delivery-task.js';

const ahead = (count: number) =>
  Array.from({ length: count }, (_, n) => deliveryTask({ delivery_id: `d${n}`, attempt_id: null }));

/** A store that opens all attempts except for some. */
function stage(tasks: readonly DeliveryTask[], ...taken: string[]) {
  const asked: string[][] = [];
  let fails = false;
  const store = {
    openAttempts: async (group: readonly DeliveryTask[]) => {
      asked.push(group.map(({ delivery_id: id }) => id));
      if (fails) throw new Error('away');
      const open = group.filter(({ delivery_id: id }) => !taken.includes(id));
      return new Map(open.map(({ delivery_id: id }) => [id, `of ${id}`]));
    },
  };
  const openings = new AttemptOpener(store, openAheadOf(null));
  openings.leased(tasks);
  const failing = (is: boolean) => {
    fails = is;
  };
  return { openings, asked, failing };
}

it('opens the next attempts together, and more while few are left', async () => {
  const tasks = ahead(112);
  const { openings, asked } = stage(tasks);
  for (const task of tasks) expect(await openings.open(task)).toBe(true);
  expect(asked.map((group) => group.length)).toEqual([48, 48, 16]);
  expect(asked.flat()).toEqual(tasks.map(({ delivery_id: id }) => id));
  expect(tasks.map(({ attempt_id: id }) => id)).toEqual(tasks.map(({ delivery_id: id }) => `of ${id}`));
});

it.each([
  [null, { together: 48, low: 24 }],
  [1_000, { together: 48, low: 24 }],
  [30, { together: 3, low: 1 }],
  [1, { together: 1, low: 0 }],
])(
  'opens no more attempts ahead for an account of %s a second than it can soon use',
  (perSecond, expected) => {
    expect(openAheadOf(perSecond === null ? null : { perSecond, burst: 1 })).toEqual(expected);
  },
);

it('requests nothing for tasks that were opened with their lease or are not sends', async () => {
  const { openings, asked } = stage([]);
  expect(await openings.open(deliveryTask({}))).toBe(true);
  expect(await openings.open(deliveryTask({ operation: 'reconcile', attempt_id: null }))).toBe(true);
  expect(asked).toEqual([]);
});

it('opens the next task first, and concurrent requests together', async () => {
  const tasks = ahead(3);
  const { openings, asked } = stage(tasks);
  const [first, second, third] = tasks as [DeliveryTask, DeliveryTask, DeliveryTask];
  expect(await Promise.all([openings.open(third), openings.open(first), openings.open(second)])).toEqual([
    true,
    true,
    true,
  ]);
  expect(asked).toEqual([['d2', 'd0', 'd1']]);
});

it('returns the tasks that may not be written any more, and drops released ones', async () => {
  const tasks = ahead(3);
  const { openings, asked } = stage(tasks, 'd1');
  const [first, second, third] = tasks as [DeliveryTask, DeliveryTask, DeliveryTask];
  openings.forget(third);
  expect(await Promise.all([openings.open(first), openings.open(second)])).toEqual([true, false]);
  expect(asked).toEqual([['d0', 'd1']]);
});

it('fails for callers while the store fails, and opens them later', async () => {
  const tasks = ahead(2);
  const { openings, failing } = stage(tasks);
  const [first, second] = tasks as [DeliveryTask, DeliveryTask];
  failing(true);
  await expect(openings.open(first)).rejects.toThrow('away');
  failing(false);
  expect(await openings.open(second)).toBe(true);
  expect(await openings.open(first)).toBe(true);
});
