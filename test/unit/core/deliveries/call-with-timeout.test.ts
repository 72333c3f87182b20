import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { callWithTimeout, GRACE_MS } from '../../../../src/core/deliveries/send/call-with-timeout.js';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

const unknown = { problem: { kind: 'unavailable' }, dispatched: 'unknown' };
/** Ends when it is aborted, and reports it. */
const obedient = (signal: AbortSignal) =>
  new Promise<string>((resolve) => signal.addEventListener('abort', () => resolve('ended')));
const deaf = () => new Promise<string>(() => undefined);

describe('a call of an adapter with a time limit', () => {
  it('returns the result of the adapter, and leaves no timer behind', async () => {
    expect(await callWithTimeout(async () => 'done', 1_000)).toBe('done');
    await expect(callWithTimeout(async () => Promise.reject(new Error('no')), 1_000)).rejects.toThrow('no');
    const broken = () => {
      throw new Error('broken');
    };
    await expect(callWithTimeout(broken, 1_000)).rejects.toThrow('broken');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is aborted when its time is over, and has a moment to end', async () => {
    const answer = callWithTimeout(obedient, 1_000);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await answer).toBe('ended');
  });

  it('is abandoned when it ignores the abort: its outcome is unknown', async () => {
    const answer = expect(callWithTimeout(deaf, 1_000)).rejects.toMatchObject(unknown);
    await vi.advanceTimersByTimeAsync(1_000 + GRACE_MS);
    await answer;
  });

  it('is aborted from outside as well, also before it starts', async () => {
    const stop = new AbortController();
    const deafOne = expect(callWithTimeout(deaf, 60_000, stop.signal)).rejects.toMatchObject(unknown);
    stop.abort();
    const late = expect(callWithTimeout(deaf, 60_000, stop.signal)).rejects.toMatchObject(unknown);
    await vi.advanceTimersByTimeAsync(GRACE_MS);
    await Promise.all([deafOne, late]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
