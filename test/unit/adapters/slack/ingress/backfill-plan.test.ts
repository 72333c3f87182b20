import { describe, expect, it } from 'vitest';
import {
  allWhole,
  isWhole,
  missingSince,
  type Plan,
  withGap,
  withWhole,
} from '../../../../../adapters/slack/ingress/backfill-plan.js';

const empty: Plan = { user: 'U1', first: '2026-01-01T00:00:00.000Z', stretches: [] };
const hour = (number: number) => new Date(Date.UTC(2026, 0, 1, number)).toISOString();

describe('The plan of a backfill', () => {
  it('begins without a gap', () => {
    expect(isWhole(empty)).toBe(true);
    expect(missingSince(empty, 'C1')).toBeNull();
  });

  it('has a gap in every channel until each is fetched', () => {
    const plan = withGap(empty, hour(5));
    expect(['C1', 'C9'].map((id) => missingSince(plan, id))).toEqual([hour(5), hour(5)]);
    const half = withWhole(plan, 'C4');
    expect(['C1', 'C4', 'C5'].map((id) => missingSince(half, id))).toEqual([null, null, hour(5)]);
    expect(isWhole(allWhole(half))).toBe(true);
  });

  it('keeps the older time of channels that an interrupted sweep did not reach', () => {
    const second = withGap(withWhole(withGap(empty, hour(5)), 'C4'), hour(8));
    expect(['C4', 'C5'].map((id) => missingSince(second, id))).toEqual([hour(8), hour(5)]);
    const third = withGap(withWhole(second, 'C2'), hour(9));
    expect(['C2', 'C4', 'C5'].map((id) => missingSince(third, id))).toEqual([hour(9), hour(8), hour(5)]);
  });

  it('never loses a gap and stays short, however often a sweep is interrupted', () => {
    let plan = withGap(empty, hour(0));
    const missing = new Map<string, string>();
    const ids = Array.from({ length: 60 }, (_, at) => `C${String(at).padStart(2, '0')}`);
    for (const id of ids) missing.set(id, hour(0));
    for (let round = 1; round <= 59; round += 1) {
      const reached = ids[59 - round] ?? '';
      plan = withGap(withWhole(plan, reached), hour(round));
      for (const id of ids) if (id <= reached) missing.set(id, hour(round));
    }
    for (const id of ids) {
      const since = missingSince(plan, id);
      expect(since).not.toBeNull();
      expect(Date.parse(since ?? '')).toBeLessThanOrEqual(Date.parse(missing.get(id) ?? ''));
    }
    expect(plan.stretches.length).toBeLessThanOrEqual(20);
    expect(Buffer.byteLength(JSON.stringify(plan))).toBeLessThan(4_096);
  });
});
