import type { Pool } from 'pg';
import type { StreamLease, StreamLeases } from '../../core/events/ports.js';
import { openStream } from '../calls.gen.js';
import { milliseconds } from '../connection/interval.js';

const leaseMs = 30_000;

const EXTEND = `
  INSERT INTO open_streams (id, workspace_id, credential_id, expires_at)
  SELECT s.id, s.workspace_id, s.credential_id, clock_timestamp() + $4 * interval '1 ms'
  FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS s (id, workspace_id, credential_id)
  ON CONFLICT (id) DO UPDATE SET expires_at = excluded.expires_at`;

/** Open streams of all processes in PostgreSQL. */
export class PostgresStreamLeases implements StreamLeases {
  constructor(private readonly pool: Pool) {}

  open({ id, workspaceId, credentialId }: StreamLease, limit: number): Promise<boolean> {
    return openStream(this.pool, {
      stream: id,
      workspace: workspaceId,
      credential: credentialId,
      maxStreams: limit,
      lease: milliseconds(leaseMs),
    });
  }

  async extend(leases: readonly StreamLease[]): Promise<void> {
    if (leases.length === 0) return;
    await this.pool.query(EXTEND, [
      leases.map(({ id }) => id),
      leases.map(({ workspaceId }) => workspaceId),
      leases.map(({ credentialId }) => credentialId),
      leaseMs,
    ]);
  }

  async close(id: string): Promise<void> {
    await this.pool.query('DELETE FROM open_streams WHERE id = $1', [id]);
  }

  async closeAll(): Promise<void> {
    await this.pool.query('TRUNCATE open_streams');
  }
}
