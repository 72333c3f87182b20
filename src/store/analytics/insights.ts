import type { Pool } from 'pg';
import type { Amount, InsightQuery, InsightStore } from '../../core/ports/insights.js';
import { readIn } from '../connection/workspace-reads.js';

/** Events counted in one transaction. */
const PORTION = 5_000;

interface Row {
  readonly start: Date;
  readonly of_group: string | null;
  readonly measure: string;
  readonly amount: string;
}

/** Counts in PostgreSQL. */
export class PostgresInsights implements InsightStore {
  constructor(private readonly pool: Pool) {}

  async read(query: InsightQuery): Promise<readonly Amount[]> {
    const { workspaceId, resource, from, to, interval, groupBy } = query;
    const { rows } = await readIn<Row>(this.pool, workspaceId, {
      text: 'SELECT * FROM read_insights($1, $2, $3, $4, $5, $6)',
      values: [workspaceId, resource, from, to, interval, groupBy],
    });
    return rows.map(({ of_group: group, ...row }) => ({ ...row, group, amount: Number(row.amount) }));
  }

  async count(): Promise<boolean> {
    const { rows } = await this.pool.query<{ more: boolean }>('SELECT count_insights($1) AS more', [PORTION]);
    return rows[0]?.more ?? false;
  }
}
