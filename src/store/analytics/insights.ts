import type { Pool } from 'pg';
import type { Amounts, InsightQuery, InsightStore, LocalInsightQuery } from '../../core/analytics/ports.js';
import { countInsights, readInsightSeries, readLocalInsightSeries } from '../calls.gen.js';
import { readerOf } from '../connection/workspace-reads.js';
import { addUpSeries } from './series-rows.js';

/** Maximum number of events that one transaction counts. */
const BATCH = 5_000;

/** Counts in PostgreSQL. */
export class PostgresInsights implements InsightStore {
  constructor(private readonly pool: Pool) {}

  async read(query: InsightQuery): Promise<Amounts> {
    const { workspaceId, resource, from, to, interval, groupBy, maxGroups } = query;
    const found = await readInsightSeries(readerOf(this.pool, workspaceId), {
      workspace: workspaceId,
      wanted: resource,
      since: from,
      until: to,
      bucket: interval,
      groupedBy: groupBy,
      maxGroups,
    });
    return addUpSeries(found);
  }

  async readLocal(query: LocalInsightQuery): Promise<Amounts> {
    const { workspaceId, resource, from, to, timeZone, interval, groupBy, maxGroups } = query;
    const found = await readLocalInsightSeries(readerOf(this.pool, workspaceId), {
      workspace: workspaceId,
      wanted: resource,
      firstDay: from,
      lastDay: to,
      zone: timeZone,
      bucket: interval,
      groupedBy: groupBy,
      maxGroups,
    });
    return addUpSeries(found);
  }

  count(): Promise<boolean> {
    return countInsights(this.pool, BATCH);
  }
}
