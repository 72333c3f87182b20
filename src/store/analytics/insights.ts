import type { Pool } from 'pg';
import type { Amount, InsightQuery, InsightStore, LocalInsightQuery } from '../../core/analytics/ports.js';
import { countInsights, readInsightSeries, readLocalInsightSeries } from '../calls.gen.js';
import { readerOf } from '../connection/workspace-reads.js';

/** Maximum number of events that one transaction counts. */
const BATCH = 5_000;

/** Counts in PostgreSQL. */
export class PostgresInsights implements InsightStore {
  constructor(private readonly pool: Pool) {}

  async read(query: InsightQuery): Promise<readonly Amount[]> {
    const { workspaceId, resource, from, to, interval, groupBy } = query;
    const rows = await readInsightSeries(readerOf(this.pool, workspaceId), {
      workspace: workspaceId,
      wanted: resource,
      since: from,
      until: to,
      bucket: interval,
      groupedBy: groupBy,
    });
    return rows.flatMap(amountsOf);
  }

  async readLocal(query: LocalInsightQuery): Promise<readonly Amount[]> {
    const { workspaceId, resource, from, to, timeZone, interval, groupBy } = query;
    const rows = await readLocalInsightSeries(readerOf(this.pool, workspaceId), {
      workspace: workspaceId,
      wanted: resource,
      firstDay: from,
      lastDay: to,
      zone: timeZone,
      bucket: interval,
      groupedBy: groupBy,
    });
    return rows.flatMap(amountsOf);
  }

  count(): Promise<boolean> {
    return countInsights(this.pool, BATCH);
  }
}

interface Series {
  readonly of_group: string | null;
  readonly measure: string;
  readonly starts: readonly string[];
  readonly amounts: readonly number[];
}

const amountsOf = ({ of_group: group, measure, starts, amounts }: Series): Amount[] =>
  starts.map((start, n) => ({ start, group, measure, amount: amounts[n] ?? 0 }));
