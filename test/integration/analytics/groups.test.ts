import fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';
import { expect, it } from 'vitest';
import type { Amounts } from '../../../src/core/analytics/ports.js';
import type { BridgeStage } from '../../support/bridge.js';
import { iso } from '../../support/counted-records.js';
import { beforeEachOn } from '../../support/each-test.js';
import { countedStage, type InsightCounts, listAmounts } from '../../support/insight-counts.js';

/** The largest groups are returned by themselves, and the others in one. */

let stage: BridgeStage;
let counts: InsightCounts;

beforeEachOn(async ({ pool }) => {
  ({ stage, counts } = await countedStage(pool));
});

const HOUR_MS = 3_600_000;
/** The offset of Los Angeles on these days. Local dates begin in the middle of a day of UTC. */
const OFFSET_MS = -8 * HOUR_MS;
const AGENTS = Array.from({ length: 6 }, () => uuidv7());
const DAYS = ['2026-03-01', '2026-03-02', '2026-03-03'];

const message = fc.record({
  at: fc
    .tuple(fc.constantFrom(...DAYS), fc.integer({ min: 0, max: 23 }))
    .map(([day, hour]) => Date.parse(day) + hour * HOUR_MS),
  agent: fc.constantFrom(...AGENTS),
  direction: fc.constantFrom('outbound' as const, 'internal' as const, 'inbound' as const),
  status: fc.constantFrom('sent' as const, 'failed' as const),
});
type Drawn = typeof message extends fc.Arbitrary<infer T> ? T : never;

const store = ({ at, agent, direction, status }: Drawn) =>
  stage.pool.query(
    `INSERT INTO messages (id, workspace_id, conversation_id, conversation_number, sender_id, text, direction, status, created_at)
     VALUES (uuid7(), $1, uuid7(), 1, $2, 'x', $3, $4, $5)`,
    [stage.workspaceId, agent, direction, status, iso(at)],
  );

/** The amounts by group, measure and day. Inbound messages have no agent and take no place among the largest groups. */
function expected(all: readonly Drawn[], maxGroups: number, offset: number): Map<string, number> {
  const counted = all.flatMap(({ at, agent, direction, status }) =>
    (status === 'failed' ? [direction, 'failed'] : [direction]).map((measure) => ({
      day: iso(at + offset).slice(0, 10),
      measure,
      group: direction === 'inbound' ? null : agent,
    })),
  );
  const sizes = new Map<string, number>();
  for (const { group } of counted) if (group !== null) sizes.set(group, (sizes.get(group) ?? 0) + 1);
  const bySize = [...sizes].sort(([a, more], [b, less]) => less - more || (a < b ? -1 : 1));
  const large = new Set(bySize.slice(0, maxGroups).map(([agent]) => agent));
  const sums = new Map<string, number>();
  for (const { day, measure, group } of counted) {
    const key = `${group === null || large.has(group) ? group : 'other'} ${measure} ${day}`;
    sums.set(key, (sums.get(key) ?? 0) + 1);
  }
  return sums;
}

const found = (amounts: Amounts) =>
  new Map(
    listAmounts(amounts).map(({ start, group, measure, amount }): [string, number] => [
      `${group} ${measure} ${start.slice(0, 10)}`,
      amount,
    ]),
  );

it('every group beyond the largest is in the sums of the group other, counted or not', async () => {
  const run = fc.asyncProperty(
    fc.array(message, { maxLength: 25 }),
    fc.integer({ min: 0, max: 25 }),
    fc.integer({ min: 1, max: 6 }),
    async (drawn, countedFirst, maxGroups) => {
      for (const table of ['messages', 'insight_counts', 'insight_days', 'insight_changes'])
        await stage.pool.query(`DELETE FROM ${table} WHERE workspace_id = $1`, [stage.workspaceId]);
      for (const one of drawn.slice(0, countedFirst)) await store(one);
      await counts.countAll();
      for (const one of drawn.slice(countedFirst)) await store(one);
      const query = {
        workspaceId: stage.workspaceId,
        resource: 'messages',
        interval: 'day',
        groupBy: 'agent',
        maxGroups,
      } as const;
      const [from, to] = ['2026-02-28', '2026-03-03'];
      const api = await counts.insights.read({ ...query, from: new Date(from), to: new Date('2026-03-04') });
      const local = await counts.insights.readLocal({ ...query, from, to, timeZone: 'America/Los_Angeles' });
      expect(found(api)).toEqual(expected(drawn, maxGroups, 0));
      expect(found(local)).toEqual(expected(drawn, maxGroups, OFFSET_MS));
    },
  );
  await fc.assert(run, { numRuns: 25 });
});
