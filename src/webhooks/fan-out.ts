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
    private readonly deliverer: Pick<DeliverDue, 'room' | 'begin' | 'look'>,
  ) {}

  /**
   * Adds a delivery for every receiver of an event, and starts those here that can be sent at once: a reminder for each would
   * cost more than the delivery. Running twice for one event has no further effect.
   */
  async run(positions: readonly string[]): Promise<void> {
    const notifications = await this.#notifications(positions);
    if (notifications.length === 0) return;
    const { room } = this.deliverer;
    if (room === 0) return this.queue.add(notifications);
    const { claimed, waiting } = await this.queue.addClaimed(notifications, room);
    this.deliverer.begin(claimed);
    await this.deliverer.look(waiting);
  }

  /** Does what was not done since its job was lost. Answers whether there is more to be looked at now. */
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

/** By what it asked for when the event happened. */
function wants(subscriber: Subscriber, { type, occurredAt }: EventHead): boolean {
  const { since, former } = subscriber;
  if (since <= occurredAt) return matches(subscriber, type);
  return former !== null && new Date(former.since) <= occurredAt && matches(former, type);
}
