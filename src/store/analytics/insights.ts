import type { Pool } from 'pg';
import type { Amount, InsightQuery, InsightStore, LocalInsightQuery } from '../../core/analytics/ports.js';
import { countInsights, readInsights, readLocalInsights } from '../calls.gen.js';
import { readerOf } from '../connection/workspace-reads.js';

/** Events counted in one transaction. */
const BATCH = 5_000;

/** Counts in PostgreSQL. */
export class PostgresInsights implements InsightStore {
  constructor(private readonly pool: Pool) {}

  async read(query: InsightQuery): Promise<readonly Amount[]> {
    const { workspaceId, resource, from, to, interval, groupBy } = query;
    const rows = await readInsights(readerOf(this.pool, workspaceId), {
      workspace: workspaceId,
      wanted: resource,
      since: from,
      until: to,
      bucket: interval,
      groupedBy: groupBy,
    });
    return rows.map(({ start, of_group: group, measure, amount }) => ({
      start: start.toISOString(),
      group,
      measure,
      amount: Number(amount),
    }));
  }

  async readLocal(query: LocalInsightQuery): Promise<readonly Amount[]> {
    const { workspaceId, resource, from, to, timeZone, interval, groupBy } = query;
    const rows = await readLocalInsights(readerOf(this.pool, workspaceId), {
      workspace: workspaceId,
      wanted: resource,
      firstDay: from,
      lastDay: to,
      zone: timeZone,
      bucket: interval,
      groupedBy: groupBy,
    });
    return rows.map(({ start, of_group: group, measure, amount }) => ({
      start,
      group,
      measure,
      amount: Number(amount),
    }));
  }

  count(): Promise<boolean> {
    return countInsights(this.pool, BATCH);
  }
}
