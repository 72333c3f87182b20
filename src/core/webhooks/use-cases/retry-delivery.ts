import type { Caller } from '../../access/caller.js';
import { conflict, notFound } from '../../common/errors.js';
import type { ClaimKey } from '../../common/idempotency.js';
import type { WebhookDeliveryStore, WebhookStore } from '../ports.js';
import type { WebhookDeliveryRecord } from '../record.js';
import { getReachable } from './access.js';

/** Retries a finished delivery. */
export class RetryWebhookDelivery {
  constructor(
    private readonly store: WebhookStore,
    private readonly deliveries: WebhookDeliveryStore,
  ) {}

  /** Raises `access_denied`, `not_found`, `conflict` with `invalid_state` (pending, or the webhook is not enabled). */
  async execute(
    caller: Caller,
    id: string,
    deliveryId: string,
    claim?: ClaimKey,
  ): Promise<WebhookDeliveryRecord> {
    const webhook = await getReachable(this.store, caller, id);
    const delivery = await this.deliveries.find(caller.workspaceId, id, deliveryId);
    if (delivery === undefined) throw notFound('The delivery');
    const retried = await this.deliveries.retry(id, deliveryId, claim);
    if (retried !== undefined) return retried;
    const current = webhook.status === 'enabled' ? 'pending' : webhook.status;
    throw conflict('invalid_state', 'Only finished deliveries of enabled webhooks can be retried.', {
      current,
    });
  }
}
