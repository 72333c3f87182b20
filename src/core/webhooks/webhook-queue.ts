import type { ApiVersion } from '../versions/api-version.js';
import type { StoredEvent } from './payload.js';
import type { WebhookDeliveryRecord } from './record.js';
import type { Subscription } from './subscription.js';
import type { Verdict, WebhookAttempt } from './verdict.js';

/** An event as far as its fan-out needs it. */
export interface EventHead {
  readonly id: string;
  readonly position: string;
  readonly workspaceId: string;
  readonly type: string;
  readonly occurredAt: Date;
  /** What must not be in flight twice: the conversation, call, user … it is about. Empty: nothing. */
  readonly subject: string;
  /** The webhook that an event is about. Only the others get the event. */
  readonly webhookId: string | null;
}

/** A batch of events that are some seconds old. */
export interface Recheck {
  readonly upto: string;
  /** Positions of events without a delivery. Most of them have no subscriber. */
  readonly missed: readonly string[];
}

/** Committed events. */
export interface EventReader {
  /** In the order of their positions. Positions without a row are left out. */
  heads(positions: readonly string[]): Promise<EventHead[]>;

  /** The next events to look at again, if there are any now: a queue that lost its jobs lost the reminders of events too. */
  recheck(): Promise<Recheck | undefined>;
  /** They need no look any more. */
  confirm(checked: Recheck): Promise<void>;
}

/** A receiver that takes or keeps events. */
export interface Subscriber extends Subscription {
  readonly webhookId: string;
  readonly workspaceId: string;
  /** Gets what happened from then on. */
  readonly since: Date;
  /** What it asked for until then, and gets of what happened from the time of that one on; an ISO 8601 time. */
  readonly former: (Subscription & { readonly since: string }) | null;
}

/** One delivery to add. */
export interface PendingNotification {
  readonly event: EventHead;
  readonly subscriber: Subscriber;
}

/** Where a claimed delivery goes. */
interface Endpoint {
  readonly url: string;
  /** The current secret, during a rotation followed by the old one. */
  readonly secrets: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly apiVersion: ApiVersion;
}

/** A delivery that this worker alone may try until its lease ends. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly webhookId: string;
  readonly workspaceId: string;
  /** Opaque; a try is recorded under the lease it was made under. */
  readonly lease: string;
  /** Tries so far. */
  readonly tries: number;
  /** The endpoint's rate limit allows it after this wait. */
  readonly startInMs: number;
  readonly event: StoredEvent;
  readonly endpoint: Endpoint;
}

/** What was tried and what becomes of it. */
export interface TryRecord {
  readonly attempt: WebhookAttempt;
  /** The beginning of what the receiver answered. It is hostile and may name people: it is stored and not logged. */
  readonly excerpt?: string | undefined;
  readonly verdict: Verdict;
}

/** State of a delivery after a try, and whether its endpoint has due work without a worker. */
export interface RecordedTry {
  readonly status: WebhookDeliveryRecord['status'];
  readonly isMoreDue: boolean;
}

/** What became of notifications: claimed when they were added, or waiting at these endpoints. */
export interface AddedNotifications {
  readonly claimed: readonly ClaimedDelivery[];
  readonly waiting: readonly string[];
}

/** Deliveries as the workers see them. */
export interface WebhookQueue {
  /** Receivers of these workspaces that are not switched off by their owner. */
  subscribers(workspaceIds: readonly string[]): Promise<Subscriber[]>;

  /**
   * Adds a pending delivery for each enabled and a dead one for each auto-disabled receiver, and wakes the former, in
   * one transaction; none for a receiver that was switched off meanwhile. Adding the same event to the same receiver again has no effect.
   */
  add(notifications: readonly PendingNotification[]): Promise<void>;

  /**
   * The same without waking a worker: it claims for the caller the deliveries that can be sent now, for up to `room` endpoints,
   * and names those that have something due it did not claim. A delivery can be sent now when the endpoint is healthy, without a
   * rate limit and has nothing else due.
   */
  addClaimed(notifications: readonly PendingNotification[], room: number): Promise<AddedNotifications>;

  /** Reminds of endpoints that have something due. */
  wake(webhookIds: readonly string[]): Promise<void>;

  /**
   * Takes up to `room` due deliveries of an endpoint, oldest first. Over all workers at most ten are out per endpoint,
   * and one per subject while the endpoint is healthy. Nothing is due while the endpoint is not enabled.
   */
  claim(webhookId: string, room: number): Promise<ClaimedDelivery[]>;

  /**
   * Records a try and its consequences for the endpoint, including its disabling with the event that says so, in one
   * transaction; undefined when the lease has ended and another worker has the delivery.
   */
  record(claimed: ClaimedDelivery, tried: TryRecord): Promise<RecordedTry | undefined>;

  /** A delivery as the interface shows it. */
  recordOf(deliveryId: string): Promise<WebhookDeliveryRecord>;

  /** Gives a claimed delivery back untried. */
  release(claimed: ClaimedDelivery): Promise<void>;

  /** Frees every delivery that is being tried; for a process that knows that it is alone. */
  releaseAll(): Promise<void>;

  /** Asks to be woken when the next delivery of the endpoint is due, not earlier than in `atLeastMs`. */
  wakeWhenDue(webhookId: string, atLeastMs: number): Promise<void>;

  /** Wakes endpoints that have due deliveries without a worker, for reminders that were lost; resolves with their number. */
  wakeStalled(): Promise<number>;

  /** Adds a test event and its delivery, claimed. */
  claimTest(webhookId: string, message: string): Promise<ClaimedDelivery>;
}
