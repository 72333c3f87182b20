import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import type { BroadcastProgress } from '../../api/broadcast-paths';
import { patchProgress } from './live-progress';
import type { Broadcast, Pages } from './queries';

const AT = ['2026-01-01T00:00:01.000Z', '2026-01-01T00:00:02.000Z', '2026-01-01T00:00:03.000Z'] as const;

describe('the progress of a broadcast', () => {
  const audience = { recipients: [{ platform: 'sms', address: '+1' }] };
  const stored = { id: 'a', status: 'sending', audience, updated_at: AT[1] } as unknown as Broadcast;
  const seen = (status: Broadcast['status'], updated_at: string) =>
    ({ id: 'a', status, updated_at }) as BroadcastProgress;

  function loaded() {
    const queries = new QueryClient();
    queries.setQueryData(['broadcast', 'a'], stored);
    queries.setQueryData(['broadcasts', ''], { pages: [{ data: [stored] }], pageParams: [''] });
    const page = () => queries.getQueryData<Broadcast>(['broadcast', 'a']);
    const row = () => queries.getQueryData<Pages>(['broadcasts', ''])?.pages[0]?.data[0];
    return { queries, page, row };
  }

  it('changes the record of its page and of the list, which keep their audience', () => {
    const { queries, page, row } = loaded();
    patchProgress(queries, seen('completed', AT[2]));
    for (const shown of [page(), row()]) {
      expect(shown?.status).toBe('completed');
      expect(shown?.audience).toBe(audience);
    }
  });

  it('reloads the counts by platform and the recipients when it ends, and not before', () => {
    const { queries } = loaded();
    const results = [
      ['broadcast-platforms', 'a'],
      ['broadcast-recipients', 'a', {}],
    ];
    for (const key of results) queries.setQueryData(key, []);
    const reloaded = () => results.map((key) => queries.getQueryState(key)?.isInvalidated);
    patchProgress(queries, seen('sending', AT[2]));
    expect(reloaded()).toEqual([false, false]);
    patchProgress(queries, seen('completed', AT[2]));
    expect(reloaded()).toEqual([true, true]);
  });

  it('changes nothing where it is older than what is shown', () => {
    const { queries, page, row } = loaded();
    patchProgress(queries, seen('preparing', AT[0]));
    expect([page()?.status, row()?.status]).toEqual(['sending', 'sending']);
  });
});
