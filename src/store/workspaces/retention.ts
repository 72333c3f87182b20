import type { Pool } from 'pg';
import type { RetentionStore } from '../../core/workspaces/retention-store.js';
import { setRetention } from '../calls.gen.js';
import { readIn } from '../connection/workspace-reads.js';

const FIND = 'SELECT retain_messages_days AS days FROM workspaces WHERE id = $1';

/** Retention of messages per workspace, in PostgreSQL. */
export class PostgresRetention implements RetentionStore {
  constructor(private readonly pool: Pool) {}

  async find(workspaceId: string): Promise<number | null> {
    const read = { text: FIND, values: [workspaceId] };
    const { rows } = await readIn<{ days: number | null }>(this.pool, workspaceId, read);
    return rows[0]?.days ?? null;
  }

  set(workspaceId: string, days: number | null): Promise<void> {
    return setRetention(this.pool, { workspace: workspaceId, days });
  }
}
