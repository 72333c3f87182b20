import type { Pool, PoolClient } from 'pg';
import type { EventHead, EventReader, Recheck } from '../../core/webhooks/webhook-queue.js';
import { eventSubjectSql, recheckEvents } from '../calls.gen.js';

/** An event to store with its change. */
export interface NewEvent {
  readonly workspaceId: string;
  readonly type: string;
  readonly conversationId?: string;
  /** The record after the change, in the 1.0 shape. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Fields that the event adds to the record. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

const APPEND = `
  INSERT INTO events (workspace_id, type, conversation_id, data, extra)
  SELECT (e->>'workspaceId')::uuid, e->>'type', (e->>'conversationId')::uuid, e->'data', e->'extra'
  FROM json_array_elements($1::json) WITH ORDINALITY AS list (e, n) ORDER BY n
  RETURNING position`;

/** Stores events in order, in the caller's transaction. Resolves with their positions. A trigger announces them. */
export async function appendEvents(
  transaction: PoolClient,
  events: readonly NewEvent[],
): Promise<readonly string[]> {
  if (events.length === 0) return [];
  const { rows } = await transaction.query<{ position: string }>(APPEND, [JSON.stringify(events)]);
  return rows.map(({ position }) => position);
}

interface HeadRow {
  id: string;
  position: string;
  workspace_id: string;
  type: string;
  occurred_at: Date;
  subject: string;
  webhook_id: string | null;
}

// The positions are JSON, because a different number of them then causes no new plan. An array would.
const HEADS = `
  SELECT e.id, e.position, e.workspace_id, e.type, e.occurred_at, ${eventSubjectSql('e')} AS subject,
    CASE WHEN e.type LIKE 'webhook.%' THEN e.data->>'webhook_id' END AS webhook_id
  FROM jsonb_array_elements_text($1) AS p (position)
  CROSS JOIN LATERAL (SELECT * FROM events x WHERE x.position = p.position::bigint OFFSET 0) e
  WHERE EXISTS (SELECT 1 FROM webhooks w
    WHERE w.workspace_id = e.workspace_id AND w.status <> 'disabled' AND w.deleted_at IS NULL OFFSET 0)
  ORDER BY e.position`;

/** Maximum number of events per check for events without a delivery. */
const sweptEvents = 2_000;

/** Committed events in PostgreSQL. Events of workspaces without a receiver are skipped. */
export class PostgresEvents implements EventReader {
  constructor(private readonly pool: Pool) {}

  async heads(positions: readonly string[]): Promise<EventHead[]> {
    const { rows } = await this.pool.query<HeadRow>({
      name: 'events.heads',
      text: HEADS,
      values: [JSON.stringify(positions)],
    });
    return rows.map((row) => ({
      id: row.id,
      position: row.position,
      workspaceId: row.workspace_id,
      type: row.type,
      occurredAt: row.occurred_at,
      subject: row.subject,
      webhookId: row.webhook_id,
    }));
  }

  async recheck(): Promise<Recheck | undefined> {
    const [batch] = await recheckEvents(this.pool, sweptEvents);
    return batch;
  }

  async confirm({ upto }: Recheck): Promise<void> {
    await this.pool.query('UPDATE fan_out_progress SET position = $1 WHERE position < $1', [upto]);
  }
}
