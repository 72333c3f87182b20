import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AccountRateLimiter } from '../../../../src/core/rates/account-rate-limiter.js';

const FOR_EVER = 1_000_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Behaves like the database: grants turns one after another to any caller. */
function counter(startsIn = 0) {
  let next = performance.now() + startsIn;
  const questions: number[] = [];
  const reserve = async (amount: number, spacingMs: number, leewayMs: number) => {
    questions.push(amount);
    const first = Math.max(next, performance.now() - leewayMs);
    next = first + amount * spacingMs;
    return first - performance.now();
  };
  return { reserve, questions };
}

/** Requests this many turns at once. `times` are the times at which they are granted. */
function takeAll(turns: AccountRateLimiter, count: number, cost = 1, priority = 1) {
  const times: number[] = [];
  const done = Array.from({ length: count }, () =>
    turns.take(cost, priority, FOR_EVER).then((granted) => granted && times.push(performance.now())),
  );
  return { times, done: Promise.all(done) };
}

const peakWithin = (times: readonly number[], withinMs: number) =>
  Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + withinMs).length));

describe('the call slots of an account', () => {
  it('are never more in any second than the rate, over two processes as well', async () => {
    const { reserve } = counter();
    const both = [new AccountRateLimiter(50, 0, reserve), new AccountRateLimiter(50, 0, reserve)];
    const taken = both.map((turns) => takeAll(turns, 150));
    await vi.advanceTimersByTimeAsync(10_000);
    const times = taken.flatMap((each) => each.times).sort((a, b) => a - b);
    expect(times).toHaveLength(300);
    expect(peakWithin(times, 1_000)).toBeLessThanOrEqual(50);
    // At most a twentieth slower than the rate allows.
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeLessThan((299 / 50) * 1_050);
  });

  it('of a fast account use nearly all of its rate', async () => {
    const { times } = takeAll(new AccountRateLimiter(1_000, 0, counter().reserve), 2_000);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(times).toHaveLength(2_000);
    expect(peakWithin(times, 1_000)).toBeLessThanOrEqual(1_000);
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeLessThan(2_000 * 1.025);
  });

  it('are requested in groups', async () => {
    const { reserve, questions } = counter();
    const { times } = takeAll(new AccountRateLimiter(100, 0, reserve), 200);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(times).toHaveLength(200);
    expect(questions.length).toBeLessThan(30);
  });

  it('go to the most urgent call first', async () => {
    const turns = new AccountRateLimiter(1, 0, counter().reserve);
    const served: string[] = [];
    const ask = (name: string, priority: number) =>
      void turns.take(1, priority, FOR_EVER).then(() => served.push(name));
    for (const name of ['bulk 1', 'bulk 2', 'bulk 3']) ask(name, 5);
    await vi.advanceTimersByTimeAsync(100);
    ask('reply', 0);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(served).toEqual(['bulk 1', 'reply', 'bulk 2', 'bulk 3']);
  });

  it('are taken several at once by expensive calls', async () => {
    const { times } = takeAll(new AccountRateLimiter(10, 0, counter().reserve), 3, 3);
    await vi.advanceTimersByTimeAsync(2_000);
    const [first = 0, second = 0, third = 0] = times;
    expect(second - first).toBeGreaterThanOrEqual(300);
    expect(third - second).toBeGreaterThanOrEqual(300);
  });

  it('that expired unused are not made up for beyond the burst', async () => {
    const { reserve } = counter();
    const turns = new AccountRateLimiter(10, 2, reserve);
    await takeAll(turns, 1).done;
    await vi.advanceTimersByTimeAsync(60_000);
    const { times } = takeAll(turns, 20);
    await vi.advanceTimersByTimeAsync(900);
    expect(times.length).toBeLessThanOrEqual(9 + 3);
  });

  it('are made up for after a suspension of this process, and never exceed the rate in any second', async () => {
    let still = 0;
    const clock = () => performance.now() + still;
    const { reserve } = counter();
    const turns = new AccountRateLimiter(
      50,
      0,
      (...question) => reserve(...question).then((wait) => wait - still),
      clock,
    );
    const times: number[] = [];
    for (let n = 0; n < 150; n += 1) void turns.take(1, 1, FOR_EVER).then(() => times.push(clock()));
    await vi.advanceTimersByTimeAsync(1_000);
    still += 150;
    await vi.advanceTimersByTimeAsync(6_000);
    expect(times).toHaveLength(150);
    expect(peakWithin(times, 1_000)).toBeLessThanOrEqual(50);
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeLessThan((149 / 50) * 1_150);
  });

  it('start no earlier than the reservations of other processes before a restart', async () => {
    const { times } = takeAll(new AccountRateLimiter(10, 0, counter(1_500).reserve), 2);
    const from = performance.now();
    await vi.advanceTimersByTimeAsync(3_000);
    expect((times[0] ?? 0) - from).toBeGreaterThanOrEqual(1_500);
  });

  it('report when they are not available in time, and go to another call', async () => {
    const turns = new AccountRateLimiter(1, 0, counter(500).reserve);
    const late = turns.take(1, 0, 100);
    const other = turns.take(1, 0, FOR_EVER);
    await vi.advanceTimersByTimeAsync(600);
    expect([await late, await other]).toEqual([false, true]);
  });

  it('are requested again when a request failed', async () => {
    const { reserve } = counter();
    let fails = 2;
    const flaky = (...question: Parameters<typeof reserve>) =>
      fails-- > 0 ? Promise.reject(new Error('away')) : reserve(...question);
    const { times } = takeAll(new AccountRateLimiter(10, 0, flaky), 1);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(times).toHaveLength(1);
  });

  it('end every wait when they are released', async () => {
    const turns = new AccountRateLimiter(1, 0, counter(60_000).reserve);
    const waiting = turns.take(1, 0, FOR_EVER);
    await vi.advanceTimersByTimeAsync(10);
    turns.release();
    expect(await waiting).toBe(false);
  });
});
