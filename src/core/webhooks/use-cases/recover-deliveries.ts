import type { Caller } from '../../access/caller.js';
import { conflict, invalidField } from '../../common/errors.js';
import type { ClaimKey } from '../../common/idempotency.js';
import type { WebhookDeliveryStore, WebhookStore } from '../ports.js';
import { getReachable } from './access.js';

const day = 24 * 60 * 60 * 1000;
const keptMs = 30 * day;

/** Retries every dead delivery since a given time. */
export class RecoverWebhookDeliveries {
  constructor(
    private readonly store: WebhookStore,
    private readonly deliveries: WebhookDeliveryStore,
    private readonly now: () => Date,
  ) {}

  /** Resolves with their number. Raises `access_denied`, `not_found`, `invalid_request`, `conflict` unless enabled. */
  async execute(caller: Caller, id: string, since: Date, claim?: ClaimKey): Promise<number> {
    if (since.getTime() < this.now().getTime() - keptMs) {
      throw invalidField('since', 'too_small', 'Deliveries are kept for 30 days.');
    }
    const webhook = await getReachable(this.store, caller, id);
    if (webhook.status !== 'enabled') {
      throw conflict('invalid_state', 'The webhook is not enabled.', { current: webhook.status });
    }
    return this.deliveries.recover(id, since, claim);
  }
}
