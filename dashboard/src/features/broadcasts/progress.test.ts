import { describe, expect, it } from 'vitest';
import { byPlatform } from './platform-bars';
import { type Broadcast, clausesOf, dryRunBody, exportUrl, newer } from './queries';
import { endOf, measured, type Pace } from './rate';

describe('the pace of a broadcast', () => {
  /** Reads the counts every 2 s, as the page does. */
  function read(seconds: number, doneAt: (second: number) => number, total = 10_000): Pace[] {
    const paces: Pace[] = [];
    for (let second = 0; second <= seconds; second += 2) {
      const done = doneAt(second);
      const before = paces.at(-1) ?? { samples: [] };
      paces.push(measured(before, { at: second * 1_000, done }, total - done));
    }
    return paces;
  }

  it('is not shown before 20 s, and afterwards is the rate of the last minute', () => {
    const paces = read(40, (second) => second * 10);
    expect(paces.slice(0, 10).every(({ rate, end }) => rate === undefined && end === undefined)).toBe(true);
    expect(paces.slice(10).every(({ rate }) => rate === 600)).toBe(true);
    const slower = read(180, (second) => (second <= 60 ? second * 10 : 600 + (second - 60) * 2));
    expect(Math.abs((slower.at(-1)?.rate ?? 0) - 120)).toBeLessThanOrEqual(12);
  });

  it('stays within a tenth of the truth when recipients are counted in chunks of 5 s after a first burst', () => {
    const chunks = read(300, (second) => 60 + Math.floor(second / 5) * 50);
    const shown = chunks.flatMap(({ rate, end }) => (rate === undefined ? [] : [{ rate, end: end ?? 0 }]));
    expect(new Set(shown.map(({ rate }) => rate)).size).toBeLessThanOrEqual(3);
    for (const { rate, end } of shown) {
      expect(Math.abs(rate - 600)).toBeLessThanOrEqual(60);
      expect(Math.abs(end - 994_000)).toBeLessThanOrEqual(100_000);
    }
  });

  it('has no expected end while nothing is sent, and is measured again when recipients become pending again', () => {
    expect(read(40, () => 5).at(-1)).toMatchObject({ rate: 0 });
    expect(read(40, () => 5).at(-1)?.end).toBeUndefined();
    const before = read(40, (second) => second * 10).at(-1) ?? { samples: [] };
    expect(measured(before, { at: 42_000, done: 100 }, 1)).toEqual({ samples: [{ at: 42_000, done: 100 }] });
    expect(measured(before, { at: 40_000, done: 400 }, 1)).toBe(before);
  });

  it('does not end before the time that the throttle allows', () => {
    const eta = '2026-01-01T00:00:00.000Z';
    const at = Date.parse(eta);
    expect(endOf({ eta }, { samples: [], end: at - 1 })).toBe(eta);
    expect(endOf({ eta }, { samples: [], end: at + 1 })).toBe('2026-01-01T00:00:00.001Z');
    expect(endOf({ eta }, { samples: [] })).toBe(eta);
    expect(endOf({ eta: null }, { samples: [] })).toBeUndefined();
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
