import type { Caller } from '../../access/caller.js';
import type { ListPage, ListQuery } from '../../listing/list-spec.js';
import type { WebhookLists, WebhookStore } from '../ports.js';
import type { WebhookDeliveryRecord, WebhookRecord } from '../record.js';
import { getReachable } from './access.js';

/** Webhooks and their deliveries, limited by the caller's scopes. */
export class ListWebhooks {
  constructor(
    private readonly lists: WebhookLists,
    private readonly store: WebhookStore,
  ) {}

  webhooks(caller: Caller, query: ListQuery): Promise<ListPage<WebhookRecord>> {
    return this.lists.webhooks(caller.workspaceId, [...caller.scopes], query);
  }

  /** Raises `access_denied`, `not_found`. */
  async deliveries(caller: Caller, id: string, query: ListQuery): Promise<ListPage<WebhookDeliveryRecord>> {
    await getReachable(this.store, caller, id);
    return this.lists.deliveries(caller.workspaceId, id, query);
  }
}
