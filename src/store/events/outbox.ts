import type { Pool } from 'pg';
import { type Outbox, type OutboxJob, TOPICS, type Topic } from '../../core/common/outbox.js';
import { inTransaction } from '../connection/transaction.js';

interface OutboxRow {
  id: string;
  topic: Topic;
  payload: Record<string, string>;
  run_at: Date | null;
  priority: number;
}

// The rows are deleted before they are published: a failing publish rolls the deletion back.
const TAKE_ROWS = `
  DELETE FROM outbox WHERE id = ANY (ARRAY(
    SELECT id FROM outbox WHERE topic = ANY ($2) ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED
  )) RETURNING id, topic, payload, run_at, priority`;

/** The outbox in PostgreSQL. */
export class PostgresOutbox implements Outbox {
  constructor(private readonly pool: Pool) {}

  async drain(limit: number, publish: (jobs: OutboxJob[]) => Promise<void>): Promise<number> {
    return inTransaction(this.pool, async (client) => {
      const { rows } = await client.query<OutboxRow>({
        name: 'outbox.take',
        text: TAKE_ROWS,
        values: [limit, TOPICS],
      });
      if (rows.length > 0) await publish(rows.map(toJob).sort(oldestFirst));
      return rows.length;
    });
  }
}

function toJob(row: OutboxRow): OutboxJob {
  return {
    id: row.id,
    topic: row.topic,
    payload: row.payload,
    runAt: row.run_at,
    priority: row.priority,
  };
}

// RETURNING guarantees no order. Ids are decimal text of a bigint, so the longer one is the larger one.
function oldestFirst(a: OutboxJob, b: OutboxJob): number {
  return a.id.length - b.id.length || (a.id < b.id ? -1 : 1);
}
