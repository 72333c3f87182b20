import { matches } from '../core/webhooks/subscription.js';
import type {
  EventHead,
  EventReader,
  PendingNotification,
  Subscriber,
  WebhookQueue,
} from '../core/webhooks/webhook-queue.js';
import type { DeliverDue } from './deliver-due.js';

/** Turns committed events into deliveries. */
export class FanOut {
  constructor(
    private readonly events: EventReader,
    private readonly queue: WebhookQueue,
    private readonly deliverer: Pick<DeliverDue, 'capacity' | 'begin' | 'checkDue'>,
  ) {}

  /**
   * Adds a delivery for every subscriber of an event. Deliveries that can be sent at once start here, because a reminder would
   * cost more than the delivery. Running twice for one event has no further effect.
   */
  async run(positions: readonly string[]): Promise<void> {
    const notifications = await this.#notifications(positions);
    if (notifications.length === 0) return;
    const { capacity } = this.deliverer;
    if (capacity === 0) return this.queue.add(notifications);
    const { claimed, waiting } = await this.queue.addClaimed(notifications, capacity);
    this.deliverer.begin(claimed);
    await this.deliverer.checkDue(waiting);
  }

  /** Handles events whose job was lost. Resolves with whether there are more events to check now. */
  async recover(): Promise<boolean> {
    const checked = await this.events.recheck();
    if (checked === undefined) return false;
    const notifications = checked.missed.length === 0 ? [] : await this.#notifications(checked.missed);
    if (notifications.length > 0) await this.queue.add(notifications);
    await this.events.confirm(checked);
    return true;
  }

  async #notifications(positions: readonly string[]): Promise<PendingNotification[]> {
    const heads = await this.events.heads(positions);
    if (heads.length === 0) return [];
    const subscribers = await this.queue.subscribers([...new Set(heads.map((head) => head.workspaceId))]);
    return heads.flatMap((event) => notificationsOf(event, subscribers));
  }
}

function notificationsOf(event: EventHead, subscribers: readonly Subscriber[]): PendingNotification[] {
  return subscribers
    .filter((each) => each.workspaceId === event.workspaceId && each.webhookId !== event.webhookId)
    .filter((each) => wants(each, event))
    .map((subscriber) => ({ event, subscriber }));
}

/** Whether the subscription at the time of the event includes it. */
function wants(subscriber: Subscriber, { type, occurredAt }: EventHead): boolean {
  const { since, former } = subscriber;
  if (since <= occurredAt) return matches(subscriber, type);
  return former !== null && new Date(former.since) <= occurredAt && matches(former, type);
}
