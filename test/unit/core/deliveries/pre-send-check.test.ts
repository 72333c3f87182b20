import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { clock } from '../../../../src/contract/clock.js';
import { PreSendCheck } from '../../../../src/core/deliveries/dispatch/pre-send-check.js';

/** A store that withholds some tasks, and the ids that it was asked about. */
function stage(...withheld: string[]) {
  const asked: string[][] = [];
  const look = new PreSendCheck({
    withheld: async (ids) => {
      asked.push([...ids].sort());
      return ids.filter((id) => withheld.includes(id));
    },
  });
  return { look, asked };
}

describe('the last check before a write', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
  afterEach(() => void vi.useRealTimers());

  it('does not query tasks that were just leased', async () => {
    const { look, asked } = stage('a');
    look.leased(['a'], clock.now() - 400);
    expect(await look.permits('a')).toBe(true);
    expect(asked).toEqual([]);
  });

  it('queries all waiting sends at once, and drops those that were sent', async () => {
    const { look, asked } = stage('b');
    look.leased(['a', 'b', 'c', 'd'], clock.now());
    look.forget('d');
    vi.advanceTimersByTime(600);
    expect(await Promise.all([look.permits('a'), look.permits('b')])).toEqual([true, false]);
    expect(await look.permits('c')).toBe(true);
    expect(asked).toEqual([['a', 'b', 'c']]);
  });

  it('queries a task again when the result has become old', async () => {
    const { look, asked } = stage();
    look.leased(['a', 'b'], clock.now());
    vi.advanceTimersByTime(600);
    await look.permits('a');
    vi.advanceTimersByTime(600);
    await look.permits('b');
    expect(asked).toEqual([['a', 'b'], ['b']]);
  });

  it('queries as many tasks as start before the result is old, and none of them twice', async () => {
    const { look, asked } = stage();
    const ids = Array.from({ length: 1_000 }, (_, n) => `${1_000 + n}`);
    look.leased(ids, clock.now());
    vi.advanceTimersByTime(600);
    // All concurrent writes ask at the same moment.
    await Promise.all(ids.slice(0, 100).map((id) => look.permits(id)));
    expect(asked).toEqual([ids.slice(0, 64), ids.slice(64, 128)]);
    vi.advanceTimersByTime(600);
    for (const id of ids.slice(100, 110)) await look.permits(id);
    expect(asked.slice(2)).toEqual([ids.slice(100, 300)]);
    vi.advanceTimersByTime(600);
    await look.permits('1110');
    expect(asked.slice(3)).toEqual([ids.slice(110, 174)]);
  });

  it('does not use a result for a task that the query did not include', async () => {
    const { look, asked } = stage('late');
    look.leased(['a'], clock.now());
    vi.advanceTimersByTime(600);
    await look.permits('a');
    // Its lease was requested before that check and granted after it.
    look.leased(['late'], clock.now() - 600);
    expect(await look.permits('late')).toBe(false);
    expect(asked).toEqual([['a'], ['late']]);
  });
});
