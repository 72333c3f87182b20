import { describe, expect, it, vi } from 'vitest';
import { Batcher } from '../../../src/core/common/batcher.js';
import { waitFor } from '../../support/wait-for.js';

/** A run that ends when the test calls `end`. */
function steered() {
  const groups: string[][] = [];
  const ends: (() => void)[] = [];
  const run = (inputs: readonly string[]) => {
    groups.push([...inputs]);
    return new Promise<string[]>((resolve) => {
      ends.push(() => resolve(inputs.map((input) => `${input}!`)));
    });
  };
  return { groups, run, end: () => ends.shift()?.() };
}

describe('a batcher', () => {
  it('combines concurrent calls, and returns to each its own result', async () => {
    const { groups, run, end } = steered();
    const gathering = new Batcher(run, { maxItems: 10, atOnce: 1 });
    const answers = Promise.all(['a', 'b', 'c'].map((input) => gathering.add(input)));
    await waitFor(() => expect(groups).toEqual([['a', 'b', 'c']]));
    end();
    expect(await answers).toEqual(['a!', 'b!', 'c!']);
  });

  it('collects calls that arrive during a run, up to the size of a batch and the number of runs', async () => {
    const { groups, run, end } = steered();
    const gathering = new Batcher(run, { maxItems: 2, atOnce: 1 });
    const first = gathering.add('a');
    await waitFor(() => expect(groups).toEqual([['a']]));
    const others = ['b', 'c', 'd'].map((input) => gathering.add(input));
    end();
    await first;
    await waitFor(() => expect(groups).toEqual([['a'], ['b', 'c']]));
    end();
    await Promise.all(others.slice(0, 2));
    await waitFor(() => expect(groups).toEqual([['a'], ['b', 'c'], ['d']]));
    end();
    expect(await others[2]).toBe('d!');
  });

  it('waits for further calls only as long as its most urgent call allows', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const { groups, run, end } = steered();
      const gathering = new Batcher(run, { maxItems: 10, atOnce: 1 });
      void gathering.add('a', 5);
      await vi.advanceTimersByTimeAsync(4);
      void gathering.add('b', 5);
      expect(groups).toEqual([]);
      await vi.advanceTimersByTimeAsync(1);
      expect(groups).toEqual([['a', 'b']]);
      end();
      await new Promise((done) => setImmediate(done));
      void gathering.add('c', 5);
      const alone = gathering.add('d');
      await waitFor(() =>
        expect(groups).toEqual([
          ['a', 'b'],
          ['c', 'd'],
        ]),
      );
      end();
      expect(await alone).toBe('d!');
    } finally {
      vi.useRealTimers();
    }
  });

  it('does not retry calls after a lock timeout, because each would wait for the lock again', async () => {
    let runs = 0;
    const run = async () => {
      runs += 1;
      throw Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' });
    };
    const gathering = new Batcher(run, { maxItems: 10, atOnce: 1 });
    const answers = await Promise.allSettled(['a', 'b', 'c'].map((input) => gathering.add(input)));
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(runs).toBe(1);
  });

  it.each([
    [true, ['a', 'b', 'c', 'd']],
    [false, ['a']],
  ])(
    'fails waiting calls after a lock timeout only if failsTogether is set: %s',
    async (failsTogether, told) => {
      const failed: string[] = [];
      const runs: (readonly string[])[] = [];
      let lose: () => void = () => undefined;
      const run = (inputs: readonly string[]) => {
        runs.push(inputs);
        return new Promise<string[]>((_, reject) => {
          lose = () => reject(Object.assign(new Error('A lock was kept.'), { code: '55P03' }));
        });
      };
      const gathering = new Batcher(run, { maxItems: 2, atOnce: 1, failsTogether });
      const add = (input: string) => void gathering.add(input).catch(() => failed.push(input));
      add('a');
      await waitFor(() => expect(runs).toHaveLength(1));
      for (const input of ['b', 'c', 'd']) add(input);
      lose();
      await waitFor(() => expect(failed).toEqual(told));
      // A later call may find the lock held again.
      add('e');
      await waitFor(() => expect(runs).toHaveLength(2));
    },
  );

  it('retries the calls of a failed batch one by one, so that only bad calls fail', async () => {
    const sizes: number[] = [];
    const gathering = new Batcher<string, string>(
      async (inputs) => {
        sizes.push(inputs.length);
        if (inputs.includes('bad')) throw new Error('no');
        return inputs;
      },
      { maxItems: 10, atOnce: 1 },
    );
    const answers = await Promise.allSettled(['x', 'bad', 'y'].map((input) => gathering.add(input)));
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(sizes).toEqual([3, 1, 1, 1]);
  });
});
