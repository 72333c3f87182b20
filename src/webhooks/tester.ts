import type { WebhookTester } from '../core/webhooks/ports.js';
import type { WebhookDeliveryRecord } from '../core/webhooks/record.js';
import type { WebhookQueue } from '../core/webhooks/webhook-queue.js';
import type { WebhookSender } from './sender.js';

/** Sends test events from the process that handles the request, without the queue. */
export class DirectTester implements WebhookTester {
  constructor(
    private readonly queue: WebhookQueue,
    private readonly sender: WebhookSender,
  ) {}

  async test(webhookId: string, message: string): Promise<WebhookDeliveryRecord> {
    const claimed = await this.queue.claimTest(webhookId, message);
    const recorded = await this.queue.record(claimed, await this.sender.try(claimed));
    if (recorded === undefined) throw new Error('The test outlived its lease.');
    return this.queue.recordOf(claimed.id);
  }
}
