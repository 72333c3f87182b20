import { describe, expect, it } from 'vitest';
import {
  allWhole,
  missingSince,
  type Plan,
  parsePlan,
  withBoth,
  withGap,
  withWhole,
} from '../../../../../adapters/slack/ingress/backfill-plan.js';
import { StoredPlan } from '../../../../../adapters/slack/ingress/stored-plan.js';
import { RecordingHost } from '../../../../support/adapter-host.js';

const EARLY = '2026-05-01T08:00:00.000Z';
const LATE = '2026-05-01T10:00:00.000Z';
const first = (user = 'U1'): Plan => ({ user, first: '2026-01-01T00:00:00.000Z', stretches: [] });
const saved = (host: RecordingHost) => parsePlan(host.saved('history-plan'));

/** Processes that began to read the connection one after the other, each with a gap since its time. */
async function begun(host: RecordingHost, ...times: readonly string[]) {
  const plans: StoredPlan[] = [];
  for (const since of times) {
    const plan = new StoredPlan(host, () => merges.push(since));
    await plan.begin((text) => withGap(parsePlan(text) ?? first(), since));
    plans.push(plan);
  }
  return plans as [StoredPlan, StoredPlan];
}
const merges: string[] = [];

describe('The plan of a connection', () => {
  it('keeps the gap of the process that has the lease when a former holder ends its work', async () => {
    const host = new RecordingHost();
    const [former, holder] = await begun(host, LATE, EARLY);
    merges.length = 0;
    await former.save(allWhole(former.plan ?? first()));
    expect(missingSince(saved(host) ?? first(), 'C1')).toBe(EARLY);
    expect([former.plan, merges]).toEqual([holder.plan, [LATE]]);
  });

  it('keeps the gap that a former holder still found', async () => {
    const host = new RecordingHost();
    const [former, holder] = await begun(host, LATE, LATE);
    await holder.save(allWhole(holder.plan ?? first()));
    await former.save(withGap(former.plan ?? first(), EARLY));
    expect(missingSince(saved(host) ?? first(), 'C1')).toBe(EARLY);
    await holder.save(withWhole(holder.plan ?? first(), 'C1'));
    expect(missingSince(saved(host) ?? first(), 'C1')).toBe(EARLY);
  });

  it('is left alone by a process that read the connection for another bot user', async () => {
    const host = new RecordingHost();
    const [former] = await begun(host, LATE);
    const holder = new StoredPlan(host, () => undefined);
    await holder.begin(() => withGap(first('U2'), EARLY));
    await former.save(allWhole(former.plan ?? first()));
    expect([former.plan, saved(host)]).toEqual([undefined, holder.plan]);
  });

  it('is saved although another process removed or damaged it', async () => {
    const host = new RecordingHost();
    const [plan] = await begun(host, LATE);
    for (const text of [null, 'no JSON']) {
      await host.state.save('history-plan', text);
      await plan.save(withGap(plan.plan ?? first(), EARLY));
      expect(saved(host)).toEqual(plan.plan);
    }
  });
});

describe('Two merged plans', () => {
  it('miss in each channel what either of them misses, since the earlier time', () => {
    const one = withWhole(withGap(first(), LATE), 'C3');
    const other = withWhole(withGap(first(), EARLY), 'C5');
    const both = withBoth(withGap(one, LATE), other);
    const missing = ['C1', 'C3', 'C4', 'C5', 'C6', 'C9'].map((id) => missingSince(both, id));
    expect(missing).toEqual([LATE, LATE, LATE, LATE, EARLY, EARLY]);
    expect(withBoth(first(), other).stretches).toEqual(other.stretches);
    expect(withBoth(other, first()).stretches).toEqual(other.stretches);
  });
});
