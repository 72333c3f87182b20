import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PrioritySemaphore } from '../../../../src/core/common/priority-semaphore.js';
import { Stopwatch } from '../../../../src/core/common/stopwatch.js';
import { LaneLease, RENEW_MS } from '../../../../src/core/deliveries/dispatch/lane-lease.js';
import type { KnownPart } from '../../../../src/core/deliveries/task.js';
import { LEASE_SECONDS } from '../../../../src/store/deliveries/deliveries.js';
import { deliveryTask } from '../../../support/delivery-task.js';

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance', 'Date'],
  });
});

afterEach(() => {
  vi.useRealTimers();
});

const parts: readonly KnownPart[] = [{ index: 0, kind: 'media', status: 'pending' } as KnownPart];

function keeping(progress: () => Promise<boolean>, lastsMs: number) {
  const renewals: (readonly KnownPart[])[] = [];
  const store = {
    progress: (_: unknown, known: readonly KnownPart[]) => {
      renewals.push(known);
      return progress();
    },
  };
  const lease = new LaneLease(deliveryTask(), store, new Stopwatch());
  let lostAt: number | undefined;
  const kept = lease.kept(parts, (lost) => {
    const startedAt = performance.now();
    lost.addEventListener('abort', () => {
      lostAt = performance.now() - startedAt;
    });
    return new Promise((resolve) => setTimeout(() => resolve('written'), lastsMs));
  });
  return { kept, renewals, lostAt: () => lostAt };
}

describe('a lane whose write takes longer than its lease', () => {
  it('is renewed during the write, and no longer', async () => {
    const { kept, renewals, lostAt } = keeping(async () => true, 60_500);
    await vi.advanceTimersByTimeAsync(60_500);
    expect([await kept, renewals.length, renewals[0], lostAt()]).toEqual(['written', 12, parts, undefined]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect([renewals.length, vi.getTimerCount()]).toEqual([12, 0]);
  });

  it('stops the write when it was taken over', async () => {
    const { kept, lostAt } = keeping(async () => false, 30_000);
    await vi.advanceTimersByTimeAsync(30_000);
    expect([await kept, lostAt()]).toEqual(['written', RENEW_MS]);
  });

  it.each([
    ['does not answer', () => new Promise<boolean>(() => undefined)],
    ['fails', () => Promise.reject(new Error('away'))],
  ])('stops the write before another worker can have the lane when the database %s', async (_, progress) => {
    const { lostAt } = keeping(progress, 60_000);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(lostAt()).toBeGreaterThan(LEASE_SECONDS * 500);
    expect(lostAt()).toBeLessThan(LEASE_SECONDS * 1_000 - 4_000);
  });

  it('is not renewed any more after the write', async () => {
    let renewed: (isOurs: boolean) => void = () => undefined;
    const asked = () =>
      new Promise<boolean>((resolve) => {
        renewed = resolve;
      });
    const { kept } = keeping(asked, RENEW_MS + 1);
    let isOver = false;
    void kept.then(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(RENEW_MS + 1);
    expect(isOver).toBe(false);
    renewed(true);
    await kept;
  });
});

describe('a lane of a machine that slept', () => {
  it('is checked before a write starts, even if no steady clock has noticed', async () => {
    let asked = 0;
    const progress = async () => {
      asked += 1;
      return false;
    };
    const lease = new LaneLease(deliveryTask(), { progress }, new Stopwatch());
    expect([await lease.stillHeld(parts), asked]).toEqual([true, 0]);
    vi.setSystemTime(Date.now() + 600_000);
    expect([await lease.stillHeld(parts), asked]).toEqual([false, 1]);
  });
});

describe('a slot for a write', () => {
  it.each([
    ['was taken over', async () => false],
    ['cannot be asked for', () => Promise.reject(new Error('away'))],
  ])('is free again when the lane %s', async (_, progress) => {
    const slots = new PrioritySemaphore(1);
    const lease = new LaneLease(deliveryTask(), { progress }, new Stopwatch(10_000));
    expect(await lease.awaitSlot(slots).catch(({ message }) => message)).not.toBe(true);
    expect(slots.free).toBe(1);
  });
});
