import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { patchQueries, refresh, refreshAll, stopReading } from './refresh';

const KEY = ['rows'];

/** A mounted query. The test supplies its responses. */
function shownQuery() {
  const queries = new QueryClient();
  const answers: ((rows: string) => void)[] = [];
  const queryFn = () => new Promise<string>((resolve) => answers.push(resolve));
  new QueryObserver(queries, { queryKey: KEY, queryFn }).subscribe(() => undefined);
  const answer = async (number: number, rows: string) => {
    answers[number]?.(rows);
    await vi.advanceTimersByTimeAsync(0);
  };
  return { queries, answers, answer, shown: () => queries.getQueryData(KEY) };
}

describe('Queries that events keep current', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('are read again at once after an event', async () => {
    const { queries, answers, answer, shown } = shownQuery();
    await answer(0, 'old');
    refresh(queries, KEY);
    await answer(1, 'new');
    expect([answers.length, shown()]).toEqual([2, 'new']);
  });

  it('are read once more after a burst of events, and no request is cancelled', async () => {
    const { queries, answers, answer, shown } = shownQuery();
    for (let event = 0; event < 100; event++) refresh(queries, KEY);
    await answer(0, 'before the burst');
    expect(shown()).toBe('before the burst');
    await vi.advanceTimersByTimeAsync(500);
    await answer(1, 'after the burst');
    expect([answers.length, shown()]).toEqual([2, 'after the burst']);
  });

  it('are read again after a gap, also those whose first answer may be older than the gap', async () => {
    const { queries, answers, answer, shown } = shownQuery();
    refreshAll(queries);
    await answer(0, 'before the gap');
    await vi.advanceTimersByTimeAsync(500);
    await answer(1, 'after the gap');
    expect([answers.length, shown()]).toEqual([2, 'after the gap']);
  });

  it('keep a change that an older answer on its way does not have', async () => {
    const { queries, answer, shown } = shownQuery();
    await answer(0, 'old');
    refresh(queries, KEY);
    patchQueries(queries, KEY, (rows: string) => `${rows}, changed`);
    expect(shown()).toBe('old, changed');
    await answer(1, 'old');
    await vi.advanceTimersByTimeAsync(500);
    await answer(2, 'old, changed');
    expect(shown()).toBe('old, changed');
  });

  it('are not read again after their record was deleted', async () => {
    const { queries, answers, answer, shown } = shownQuery();
    await answer(0, 'old');
    refresh(queries, KEY);
    refresh(queries, KEY);
    stopReading(queries, KEY);
    await answer(1, 'too late');
    await vi.advanceTimersByTimeAsync(1_000);
    expect([answers.length, shown()]).toEqual([2, 'old']);
  });

  it('are marked while no screen shows them, and read when one does', async () => {
    const { queries, answer } = shownQuery();
    await answer(0, 'old');
    queries.setQueryData(['hidden'], 'old');
    refresh(queries, ['hidden']);
    expect(queries.getQueryState(['hidden'])?.isInvalidated).toBe(true);
  });
});
