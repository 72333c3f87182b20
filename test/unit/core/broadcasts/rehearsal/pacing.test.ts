import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AccountPermits, BucketCapacity } from '../../../../../src/core/broadcasts/rehearsal/pacing.js';
import { AccountRateLimiter } from '../../../../../src/core/rates/account-rate-limiter.js';

const FOR_EVER = 100_000_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Behaves like reserve_call_slots. */
function reserving() {
  let next = performance.now();
  return async (amount: number, spacingMs: number, leewayMs: number) => {
    const first = Math.max(next, performance.now() - leewayMs);
    next = first + amount * spacingMs;
    return first - performance.now();
  };
}

/** The times at which the limiter lets calls pass that arrive in waves with pauses. */
async function realTimes(perSecond: number, burst: number, waves: readonly number[], cost: number) {
  const turns = new AccountRateLimiter(perSecond, burst, reserving());
  const start = performance.now();
  const times: number[] = [];
  for (const size of waves) {
    const asked = Array.from({ length: size }, async () => {
      await turns.take(cost, 1, FOR_EVER);
      times.push(performance.now() - start);
    });
    await vi.advanceTimersByTimeAsync(((size * cost) / perSecond) * 2_000 + 20_000);
    await Promise.all(asked);
  }
  return times;
}

function simulatedTimes(perSecond: number, burst: number, waves: readonly number[], cost: number) {
  const turns = new AccountPermits({ perSecond, burst });
  const times: number[] = [];
  let now = 0;
  for (const size of waves) {
    for (let n = 0; n < size; n += 1) times.push(turns.take(now, cost));
    now += ((size * cost) / perSecond) * 2_000 + 20_000;
  }
  return times;
}

describe('the simulated rate limit of an account', () => {
  it.each([
    [1, 0, 1],
    [0.5, 0, 1],
    [30, 10, 1],
    [30, 0, 3],
    [50, 0, 1],
    [100, 0, 2],
    [1_000, 333, 1],
  ])(
    'lets calls through when the limiter does: %d per second, a burst of %d, a cost of %d',
    async (rate, burst, cost) => {
      const waves = [200, 50, 1, 120];
      const real = await realTimes(rate, burst, waves, cost);
      const simulated = simulatedTimes(rate, burst, waves, cost);
      expect(simulated).toHaveLength(real.length);
      // Timers have a resolution of a millisecond.
      const apart = simulated.map((at, index) => Math.abs(at - (real[index] ?? 0)));
      expect(Math.max(...apart)).toBeLessThan(Math.max(5, (2 * cost * 1_000) / rate));
      expect(Math.abs((simulated.at(-1) ?? 0) - (real.at(-1) ?? 0))).toBeLessThan(
        Math.max(5, (cost * 1_100) / rate),
      );
    },
  );
});

describe('the simulated capacity of a chat', () => {
  it('allows as many calls per window as the bucket does', () => {
    const room = new BucketCapacity(2, 2_000);
    const times = Array.from({ length: 5 }, () => {
      const at = room.at(0, 1);
      room.take(at, 1);
      return at;
    });
    expect(times).toEqual([0, 0, 2_000, 2_000, 4_000]);
  });

  it('is used up by a call that costs more than it holds', () => {
    const room = new BucketCapacity(2, 1_000);
    room.take(room.at(0, 5), 5);
    expect(room.at(0, 1)).toBe(1_000);
    expect(room.at(1_500, 1)).toBe(1_500);
  });
});
