import { describe, expect, test } from 'vitest';
import { CallBudget } from '../../../../../adapters/slack/ingress/call-budget.js';

const never = new AbortController().signal;

describe('A budget of calls', () => {
  test('lets a burst of calls through at once, and the next call after a wait', async () => {
    const budget = new CallBudget({ perMinute: 600, burst: 3 });
    const order: string[] = [];
    const wait = (name: string) => budget.awaitPermit(never).then(() => order.push(name));
    const burst = [wait('one'), wait('two'), wait('three')];
    const next = wait('four');
    await Promise.all(burst);
    expect(order).toEqual(['one', 'two', 'three']);
    await next;
    expect(order).toEqual(['one', 'two', 'three', 'four']);
  });

  test('gives the permits of aborted calls to later calls', async () => {
    const budget = new CallBudget({ perMinute: 60, burst: 1 });
    await budget.awaitPermit(never);
    const stopped = new AbortController();
    const turns = Array.from({ length: 200 }, () => budget.awaitPermit(stopped.signal));
    const ended = Promise.allSettled(turns);
    stopped.abort(new Error('The sweep was interrupted.'));
    expect((await ended).map(({ status }) => status)).toEqual(turns.map(() => 'rejected'));
    // If each of them used its turn, this one would take more than three minutes.
    await budget.awaitPermit(never);
  });
});
