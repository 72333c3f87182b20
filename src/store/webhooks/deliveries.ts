import type { Pool } from 'pg';
import type { ClaimKey } from '../../core/common/idempotency.js';
import type { WebhookDeliveryStore } from '../../core/webhooks/ports.js';
import type { WebhookAnswerRecord, WebhookDeliveryRecord } from '../../core/webhooks/record.js';
import { wakeWebhooksSql, webhookDeliveryRecordSql, wireTimeSql } from '../calls.gen.js';
import { inTransaction } from '../connection/transaction.js';
import { readIn } from '../connection/workspace-reads.js';
import { completeIn } from '../idempotency/idempotency.js';

/** Source of a list of deliveries. The route adds `webhook_id`. */
export const webhookDeliverySource = {
  table: 'webhook_deliveries',
  record: webhookDeliveryRecordSql('webhook_deliveries'),
  fields: {
    id: 'id',
    status: 'status',
    event: 'event',
    created_at: 'created_at',
    updated_at: 'updated_at',
  },
} as const;

const RECORD = `${webhookDeliveryRecordSql('d')} AS record`;
const WOKEN = `woken AS (SELECT ${wakeWebhooksSql('array_agg(webhook_id)')} FROM again)`;
const FIND = `SELECT ${RECORD} FROM webhook_deliveries d WHERE webhook_id = $1 AND id = $2 AND workspace_id = $3`;

const WEBHOOK_OF = `SELECT webhook_id AS id FROM webhook_deliveries WHERE workspace_id = $1 AND id = $2`;

const ANSWERS = `
  SELECT ${wireTimeSql('at')} AS at, excerpt AS text FROM webhook_answers
  WHERE workspace_id = $1 AND delivery_id = $2 ORDER BY webhook_answers.at`;

// Locks the webhook, so that it is not disabled concurrently, which would end its pending deliveries.
const AGAIN = `
  SET status = 'pending', tries = 0, next_attempt_at = date_trunc('milliseconds', now()), leased_until = NULL, updated_at = now()
  FROM (SELECT id FROM webhooks WHERE id = $1 AND status = 'enabled' AND deleted_at IS NULL FOR NO KEY UPDATE) w
  WHERE d.webhook_id = w.id`;

const RETRY = `
  WITH again AS (
    UPDATE webhook_deliveries d ${AGAIN} AND d.id = $2 AND d.status <> 'pending' RETURNING d.*
  ), ${WOKEN}
  SELECT ${webhookDeliveryRecordSql('(again.*)::webhook_deliveries')} AS record FROM again, woken`;

const RECOVER = `
  WITH again AS (
    UPDATE webhook_deliveries d ${AGAIN} AND d.status = 'dead' AND d.created_at >= $2 RETURNING d.webhook_id
  ), ${WOKEN}
  SELECT (SELECT count(*) FROM again)::int AS count FROM woken`;

interface RecordRow {
  record: WebhookDeliveryRecord;
}

/** Deliveries to webhooks in PostgreSQL, for their management by the owner. */
export class PostgresWebhookDeliveries implements WebhookDeliveryStore {
  constructor(private readonly pool: Pool) {}

  async find(workspaceId: string, webhookId: string, id: string): Promise<WebhookDeliveryRecord | undefined> {
    const { rows } = await readIn<RecordRow>(this.pool, workspaceId, {
      text: FIND,
      values: [webhookId, id, workspaceId],
    });
    return rows[0]?.record;
  }

  async webhookOf(workspaceId: string, id: string): Promise<string | undefined> {
    const query = { text: WEBHOOK_OF, values: [workspaceId, id] };
    return (await readIn<{ id: string }>(this.pool, workspaceId, query)).rows[0]?.id;
  }

  async answers(workspaceId: string, id: string): Promise<WebhookAnswerRecord[]> {
    const query = { text: ANSWERS, values: [workspaceId, id] };
    return (await readIn<WebhookAnswerRecord>(this.pool, workspaceId, query)).rows;
  }

  retry(webhookId: string, id: string, claim?: ClaimKey): Promise<WebhookDeliveryRecord | undefined> {
    return inTransaction(this.pool, async (client) => {
      const { rows } = await client.query<RecordRow>(RETRY, [webhookId, id]);
      const record = rows[0]?.record;
      if (record && claim) await completeIn(client, claim, { status: 200, body: record });
      return record;
    });
  }

  recover(webhookId: string, since: Date, claim?: ClaimKey): Promise<number> {
    return inTransaction(this.pool, async (client) => {
      const { rows } = await client.query<{ count: number }>(RECOVER, [webhookId, since]);
      const count = rows[0]?.count ?? 0;
      if (claim) await completeIn(client, claim, { status: 200, body: { count } });
      return count;
    });
  }
}
