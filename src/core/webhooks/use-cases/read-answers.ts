import type { Caller } from '../../access/caller.js';
import { notFound } from '../../common/errors.js';
import type { WebhookDeliveryStore, WebhookStore } from '../ports.js';
import type { WebhookAnswerRecord } from '../record.js';
import { getReachable } from './access.js';

/** The responses of a webhook's receiver. */
export class ReadWebhookAnswers {
  constructor(
    private readonly store: WebhookStore,
    private readonly deliveries: WebhookDeliveryStore,
  ) {}

  /** Raises `access_denied`, `not_found`. */
  async execute(caller: Caller, deliveryId: string): Promise<WebhookAnswerRecord[]> {
    const webhookId = await this.deliveries.webhookOf(caller.workspaceId, deliveryId);
    if (webhookId === undefined) throw notFound('The delivery');
    await getReachable(this.store, caller, webhookId);
    return this.deliveries.answers(caller.workspaceId, deliveryId);
  }
}
