import type { Pool } from 'pg';
import type { ListPage, ListQuery } from '../../core/listing/list-spec.js';
import type { WebhookLists } from '../../core/webhooks/ports.js';
import {
  type WebhookDeliveryRecord,
  type WebhookRecord,
  webhookDeliveryList,
  webhookList,
} from '../../core/webhooks/record.js';
import { listRecords } from '../listing/list-records.js';
import { webhookDeliverySource } from './deliveries.js';
import { webhookSource } from './webhooks.js';

/** Lists of webhooks and their deliveries in PostgreSQL. */
export class PostgresWebhookLists implements WebhookLists {
  constructor(private readonly pool: Pool) {}

  webhooks(
    workspaceId: string,
    scopes: readonly string[],
    query: ListQuery,
  ): Promise<ListPage<WebhookRecord>> {
    const reachable = { sql: 'scopes <@ $1::text[]', values: [scopes] };
    return listRecords(this.pool, webhookSource, webhookList, workspaceId, query, [reachable]);
  }

  deliveries(
    workspaceId: string,
    webhookId: string,
    query: ListQuery,
  ): Promise<ListPage<WebhookDeliveryRecord>> {
    const ofWebhook = { sql: 'webhook_id = $1::uuid', values: [webhookId] };
    return listRecords(this.pool, webhookDeliverySource, webhookDeliveryList, workspaceId, query, [
      ofWebhook,
    ]);
  }
}
