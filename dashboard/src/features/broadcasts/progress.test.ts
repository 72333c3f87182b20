import { describe, expect, it } from 'vitest';
import { byPlatform } from './platform-bars';
import { type Broadcast, clausesOf, dryRunBody, exportUrl, newer } from './queries';
import { rateOf, withSample } from './rate';

describe('the rate of a broadcast', () => {
  it('is unknown after one sample, and recipients a minute after two', () => {
    const one = withSample([], { at: 1_000, done: 10 });
    expect(rateOf(one)).toBeUndefined();
    expect(rateOf(withSample(one, { at: 11_000, done: 20 }))).toBe(60);
  });

  it('forgets what is older than 30 s, and everything when recipients become pending again', () => {
    const two = withSample(withSample([], { at: 0, done: 0 }), { at: 20_000, done: 100 });
    expect(withSample(two, { at: 40_000, done: 110 })).toEqual([
      { at: 20_000, done: 100 },
      { at: 40_000, done: 110 },
    ]);
    expect(withSample(two, { at: 21_000, done: 50 })).toEqual([{ at: 21_000, done: 50 }]);
    expect(withSample(two, { at: 20_000, done: 100 })).toBe(two);
  });
});

describe('the counts by platform', () => {
  it('put queued recipients to the pending ones and those without a platform last', () => {
    const groups = byPlatform([
      { platform: null, status: 'skipped', recipients: 2 },
      { platform: 'sms', status: 'queued', recipients: 1 },
      { platform: 'sms', status: 'pending', recipients: 3 },
      { platform: 'sms', status: 'sent', recipients: 5 },
    ]);
    expect(groups.map(([platform]) => platform)).toEqual(['sms', '']);
    expect(groups[0]?.[1]).toMatchObject({ pending: 4, sent: 5, skipped: 0 });
    expect(groups[1]?.[1]).toMatchObject({ skipped: 2 });
  });
});

describe('a broadcast in the cache', () => {
  it('is not replaced by an event that is older', () => {
    const old = { id: 'a', status: 'completed', updated_at: '2026-01-01T00:00:02.000Z' } as Broadcast;
    const event = { ...old, status: 'sending', updated_at: '2026-01-01T00:00:01.000Z' } as const;
    expect(newer(old, event).status).toBe('completed');
    expect(newer(event, old).status).toBe('completed');
  });
});

describe('the filter of recipients', () => {
  it('is the same in the list and in the export', () => {
    const filter = { status: 'failed', platform: 'sms', reason: '' } as const;
    expect(clausesOf(filter)).toEqual(['status:failed', 'platform:sms']);
    expect(exportUrl('1', filter)).toBe(
      '/dashboard/api/broadcasts/1/recipients/export?filter=status%3Afailed%2Cplatform%3Asms',
    );
  });
});

describe('the dry run of a stored broadcast', () => {
  it('names the template where there is no text, and nothing that is null', () => {
    const stored = { text: null, template_id: 't', variants: [], fallback: null, throttle: null };
    const body = dryRunBody(stored as unknown as Broadcast);
    expect(body).toMatchObject({ template_id: 't' });
    expect(Object.keys(body)).not.toContain('fallback');
  });
});
