import { describe, expect, it } from 'vitest';
import { PrioritySemaphore } from '../../../../src/core/common/priority-semaphore.js';

describe('slots of deliveries', () => {
  it('are given in the order of requests, never more than there are', async () => {
    const slots = new PrioritySemaphore(1);
    const served: string[] = [];
    await slots.acquire(1_000);
    const waiting = ['a', 'b'].map((name) => slots.acquire(1_000).then(() => served.push(name)));
    expect(served).toEqual([]);
    slots.release();
    await waiting[0];
    expect(served).toEqual(['a']);
    slots.release();
    await waiting[1];
    expect(served).toEqual(['a', 'b']);
  });

  it('report when the wait was too long, and then wait for no task', async () => {
    const slots = new PrioritySemaphore(1);
    await slots.acquire(1_000);
    expect(await slots.acquire(1)).toBe(false);
    slots.release();
    expect(await slots.acquire(1)).toBe(true);
  });
});
