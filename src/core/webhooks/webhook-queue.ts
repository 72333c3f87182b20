import type { ApiVersion } from '../versions/api-version.js';
import type { StoredEvent } from './payload.js';
import type { WebhookDeliveryRecord } from './record.js';
import type { Subscription } from './subscription.js';
import type { Verdict, WebhookAttempt } from './verdict.js';

/** The part of an event that its fan-out needs. */
export interface EventHead {
  readonly id: string;
  readonly position: string;
  readonly workspaceId: string;
  readonly type: string;
  readonly occurredAt: Date;
  /**
   * The conversation, call, user and so on that the event is about. Deliveries of one subject are not in progress at the same
   * time. Empty: no such limit.
   */
  readonly subject: string;
  /** The webhook that the event is about. It does not get the event itself. */
  readonly webhookId: string | null;
}

/** A batch of older events to check again. */
export interface Recheck {
  readonly upto: string;
  /** Positions of events without a delivery. Most of them have no subscriber. */
  readonly missed: readonly string[];
}

/** Committed events. */
export interface EventReader {
  /** In the order of their positions. Positions without a row are skipped. */
  heads(positions: readonly string[]): Promise<EventHead[]>;

  /** The next batch of events to check again, if there is one. A queue that lost its jobs also lost those of events. */
  recheck(): Promise<Recheck | undefined>;
  /** Marks the batch as checked. */
  confirm(checked: Recheck): Promise<void>;
}

/** A webhook that gets deliveries. Those of an automatically disabled webhook are stored as dead. */
export interface Subscriber extends Subscription {
  readonly webhookId: string;
  readonly workspaceId: string;
  /** The webhook gets events that occurred since then. */
  readonly since: Date;
  /** The previous subscription. It applies to events that occurred between `former.since` and `since` (ISO 8601). */
  readonly former: (Subscription & { readonly since: string }) | null;
}

/** One delivery to add. */
export interface PendingNotification {
  readonly event: EventHead;
  readonly subscriber: Subscriber;
}

/** The destination of a claimed delivery. */
interface Endpoint {
  readonly url: string;
  /** The current secret, followed by the old one during a rotation. */
  readonly secrets: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly apiVersion: ApiVersion;
}

/** A delivery that only this worker may attempt until its lease ends. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly webhookId: string;
  readonly workspaceId: string;
  /** Opaque. An attempt is recorded under the lease under which it was made. */
  readonly lease: string;
  /** Number of attempts so far. */
  readonly tries: number;
  /** The wait until the rate limit of the endpoint allows the delivery. */
  readonly startInMs: number;
  readonly event: StoredEvent;
  readonly endpoint: Endpoint;
}

/** An attempt and its effect. */
export interface TryRecord {
  readonly attempt: WebhookAttempt;
  /** The beginning of the response. It is untrusted and may contain personal data, so it is stored but not logged. */
  readonly excerpt?: string | undefined;
  readonly verdict: Verdict;
}

/** The state of a delivery after an attempt, and whether its endpoint has due work without a worker. */
export interface RecordedTry {
  readonly status: WebhookDeliveryRecord['status'];
  readonly isMoreDue: boolean;
}

/** Added notifications: claimed at once, or waiting at these endpoints. */
export interface AddedNotifications {
  readonly claimed: readonly ClaimedDelivery[];
  readonly waiting: readonly string[];
}

/** The queue of webhook deliveries, for the workers. */
export interface WebhookQueue {
  /** Webhooks of these workspaces that their owner has not disabled. */
  subscribers(workspaceIds: readonly string[]): Promise<Subscriber[]>;

  /**
   * Adds a pending delivery for each enabled webhook and a dead one for each auto-disabled webhook, and wakes the enabled ones,
   * in one transaction. Adds none for a webhook that its owner has disabled in the meantime. Has no effect for an event that the
   * webhook already has.
   */
  add(notifications: readonly PendingNotification[]): Promise<void>;

  /**
   * Same, without waking a worker. Claims for the caller the deliveries that can be sent now, for up to `maxEndpoints` endpoints. Returns
   * the endpoints with other due deliveries. A delivery can be sent now if its endpoint is healthy, has no rate limit and no
   * other due delivery.
   */
  addClaimed(
    notifications: readonly PendingNotification[],
    maxEndpoints: number,
  ): Promise<AddedNotifications>;

  /** Wakes endpoints that have due deliveries. */
  wake(webhookIds: readonly string[]): Promise<void>;

  /**
   * Claims up to `maxDeliveries` due deliveries of an endpoint, oldest first. Across all workers, at most ten per endpoint are in
   * progress, and one per subject while the endpoint is healthy. Nothing is due while the endpoint is not enabled.
   */
  claim(webhookId: string, maxDeliveries: number): Promise<ClaimedDelivery[]>;

  /**
   * Records an attempt and its effects on the endpoint in one transaction. These include disabling the endpoint, with its event.
   * Undefined if the lease has ended and another worker has the delivery.
   */
  record(claimed: ClaimedDelivery, tried: TryRecord): Promise<RecordedTry | undefined>;

  /** A delivery in the form of the API. */
  recordOf(deliveryId: string): Promise<WebhookDeliveryRecord>;

  /** Releases a claimed delivery without an attempt. */
  release(claimed: ClaimedDelivery): Promise<void>;

  /** Releases every delivery in progress. Only for a process that is alone on its database. */
  releaseAll(): Promise<void>;

  /** Schedules a wake-up for the next due delivery of the endpoint, at the earliest in `atLeastMs`. */
  wakeWhenDue(webhookId: string, atLeastMs: number): Promise<void>;

  /** Wakes endpoints with due deliveries and no worker, whose jobs were lost. Resolves with their number. */
  wakeStalled(): Promise<number>;

  /** Adds a test event and its delivery, claimed. */
  claimTest(webhookId: string, message: string): Promise<ClaimedDelivery>;
}
