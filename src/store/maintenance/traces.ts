import type { Pool } from 'pg';
import type { TraceStore } from '../../core/common/traces.js';

// A crash of the server may lose traces. In return, no request waits for the disk.
const KEEP = `INSERT INTO traces (resource_id, workspace_id, traceparent) VALUES ($1, $2, $3)
  ON CONFLICT (resource_id) DO UPDATE SET traceparent = excluded.traceparent`;

/** Traces of requests in PostgreSQL, kept until the accepted work is done. */
export class PostgresTraces implements TraceStore {
  constructor(private readonly pool: Pool) {}

  async keep(resourceId: string, workspaceId: string, traceparent: string): Promise<void> {
    await this.pool.query({
      name: 'traces.keep',
      text: KEEP,
      values: [resourceId, workspaceId, traceparent],
    });
  }

  async find(resourceId: string): Promise<string | undefined> {
    const { rows } = await this.pool.query<{ traceparent: string }>({
      name: 'traces.find',
      text: 'SELECT traceparent FROM traces WHERE resource_id = $1',
      values: [resourceId],
    });
    return rows[0]?.traceparent;
  }
}
