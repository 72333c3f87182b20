import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Sweeper } from '../../../../src/app/background/sweeper.js';
import { recordingLog } from '../../../support/log.js';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

describe('the sweeper', () => {
  it('runs every sweep in each round, also after one that fails', async () => {
    const done: string[] = [];
    const log = recordingLog();
    const sweep = (name: string, fails = false) => ({
      name,
      run: async () => {
        done.push(name);
        if (fails) throw new Error('away');
      },
    });
    const sweeper = new Sweeper([sweep('a'), sweep('b', true), sweep('c')], log);
    sweeper.start();
    await vi.advanceTimersByTimeAsync(10_000);
    await sweeper.stop();
    expect(done).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
    expect(log.lines[0]).toMatchObject({ level: 'warn', event: 'sweep.failed', fields: { sweep: 'b' } });
  });

  it('never runs two rounds at once, and its stop waits for the running round', async () => {
    let running = 0;
    let peak = 0;
    let rounds = 0;
    const slow = async () => {
      running += 1;
      peak = Math.max(peak, running);
      await new Promise((resolve) => setTimeout(resolve, 12_000));
      running -= 1;
      rounds += 1;
    };
    const sweeper = new Sweeper([{ name: 'slow', run: slow }], recordingLog());
    sweeper.start();
    await vi.advanceTimersByTimeAsync(6_000);
    const stopped = sweeper.stop();
    await vi.advanceTimersByTimeAsync(60_000);
    await stopped;
    expect([peak, rounds, running, vi.getTimerCount()]).toEqual([1, 1, 0, 0]);
  });

  it('skips the rest of a round when it is stopped', async () => {
    const done: string[] = [];
    const slow = (name: string) => ({
      name,
      run: async () => {
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        done.push(name);
      },
    });
    const sweeper = new Sweeper(['a', 'b', 'c'].map(slow), recordingLog());
    sweeper.start();
    await vi.advanceTimersByTimeAsync(6_500);
    const stopped = sweeper.stop();
    await vi.advanceTimersByTimeAsync(10_000);
    await stopped;
    expect([done, vi.getTimerCount()]).toEqual([['a', 'b'], 0]);
  });
});
