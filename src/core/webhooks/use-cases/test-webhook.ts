import type { Caller } from '../../access/caller.js';
import type { WebhookStore, WebhookTester } from '../ports.js';
import type { WebhookDeliveryRecord } from '../record.js';
import { getReachable } from './access.js';

const message = 'This is a test of your webhook.';

/** Sends a test event to one webhook, whatever its status. */
export class TestWebhook {
  constructor(
    private readonly store: WebhookStore,
    private readonly tester: WebhookTester,
  ) {}

  /** Resolves after its only attempt, successful or not. Raises `access_denied`, `not_found`. */
  async execute(caller: Caller, id: string): Promise<WebhookDeliveryRecord> {
    await getReachable(this.store, caller, id);
    return this.tester.test(id, message);
  }
}
