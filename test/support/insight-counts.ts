import type { Pool } from 'pg';
import { expect } from 'vitest';
import type { Amounts, InsightQuery } from '../../src/core/analytics/ports.js';
import type { AnalyticsResource } from '../../src/core/analytics/record.js';
import { PostgresInsights } from '../../src/store/analytics/insights.js';
import { bridgeStage } from './bridge.js';
import { values } from './people.js';
import { waitFor } from './wait-for.js';

export const HOUR_MS = 3_600_000;

/** Computes and reads the counts of one workspace. */
export class InsightCounts {
  readonly insights: PostgresInsights;

  constructor(
    private readonly pool: Pool,
    private readonly workspaceId: string,
  ) {
    this.insights = new PostgresInsights(pool);
  }

  /** The counts of the last day and the next hour, by hour. */
  async read(resource: AnalyticsResource, more: Partial<InsightQuery> = {}) {
    const found = await this.insights.read({
      workspaceId: this.workspaceId,
      resource,
      from: new Date(Date.now() - 24 * HOUR_MS),
      to: new Date(Date.now() + HOUR_MS),
      interval: 'hour',
      groupBy: null,
      maxGroups: 100,
      ...more,
    });
    return listAmounts(found);
  }

  /** The totals by name, preceded by the group if there is one. */
  async totals(resource: AnalyticsResource, more: Partial<InsightQuery> = {}) {
    const found: Record<string, number> = {};
    for (const { group, measure, amount } of await this.read(resource, more)) {
      const name = more.groupBy === undefined ? measure : `${group} ${measure}`;
      found[name] = (found[name] ?? 0) + amount;
    }
    return found;
  }

  /** Counts repeatedly until nothing is left, without the pause between rounds. */
  async countAll(): Promise<void> {
    for (let round = 0; round < 6; round += 1) {
      while (await this.insights.count());
      await this.pool.query(`UPDATE insight_progress SET sampled_at = now() - interval '2 s'`);
    }
  }

  /** Waits for all earlier transactions, including those of other databases of the server, and counts everything. */
  allCounted(): Promise<void> {
    return waitFor(async () => {
      await this.countAll();
      const [left] = await values<string>(
        this.pool,
        'SELECT count(*) FROM events WHERE position > (SELECT position FROM insight_progress)',
      );
      expect(left).toBe('0');
    });
  }
}

/** The amounts that are not zero. */
export const listAmounts = ({ starts, series }: Amounts) =>
  series.flatMap(({ group, measure, amounts }) =>
    starts.flatMap((start, index) => {
      const amount = amounts[index] ?? 0;
      return amount === 0 ? [] : [{ start, group, measure, amount }];
    }),
  );

/** A workspace with a connection, and its counts. */
export async function countedStage(pool: Pool) {
  const stage = await bridgeStage(pool);
  const connection = await stage.connection('alpha');
  return { stage, connection, counts: new InsightCounts(pool, stage.workspaceId) };
}
