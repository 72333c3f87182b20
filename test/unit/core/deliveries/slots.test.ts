import { describe, expect, it } from 'vitest';
import { Slots } from '../../../../src/core/common/priority-semaphore.js';

describe('slots of deliveries', () => {
  it('are given in the order of requests, never more than there are', async () => {
    const slots = new Slots(1);
    const served: string[] = [];
    await slots.take(1_000);
    const waiting = ['a', 'b'].map((name) => slots.take(1_000).then(() => served.push(name)));
    expect(served).toEqual([]);
    slots.giveBack();
    await waiting[0];
    expect(served).toEqual(['a']);
    slots.giveBack();
    await waiting[1];
    expect(served).toEqual(['a', 'b']);
  });

  it('report when the wait was too long, and then wait for no task', async () => {
    const slots = new Slots(1);
    await slots.take(1_000);
    expect(await slots.take(1)).toBe(false);
    slots.giveBack();
    expect(await slots.take(1)).toBe(true);
  });
});
