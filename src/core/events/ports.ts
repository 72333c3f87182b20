import type { StoredEvent } from '../webhooks/payload.js';

/**
 * What a moment could see: every transaction that had ended by then. Text of the database, compared by it and by
 * `isVisible`. A later snapshot sees all that an earlier one sees.
 */
export type Snapshot = string;

/** An event with its place in the order of commits. */
export interface LoggedEvent extends StoredEvent {
  readonly workspaceId: string;
  /** The transaction that wrote it. */
  readonly transaction: bigint;
}

/** A place to go on from: after this event. */
export interface Bookmark {
  readonly position: number;
  readonly transaction: bigint;
  /** All that was certainly committed before the event. */
  readonly seen: Snapshot;
}

export interface EventRange {
  readonly workspaceIds: readonly string[];
  readonly types: readonly string[];
  /** Only events that this moment could not see … */
  readonly after: Snapshot;
  /** … and that this one can; absent: now. */
  readonly upTo?: Snapshot;
  /** Only events beyond this position: the next page of a range. */
  readonly afterPosition: number;
  readonly limit: number;
}

export interface EventPage {
  /** The moment up to which was read: `upTo`, or now. */
  readonly upTo: Snapshot;
  readonly events: readonly LoggedEvent[];
}

/** A workspace that is followed. */
export interface Followed {
  readonly workspaceId: string;
  readonly moves: boolean;
}

/** `lost`: the event takes a conversation out of the view. */
export type InView = 'shown' | 'lost';

/** Committed events of the last 24 hours, in the order of their commits. */
export interface EventLog {
  /**
   * Says that these are followed: what is begun after it resolves is recorded, and goes on to be for a day, so that a
   * stream can be resumed. `moves` asks for `delivery.updated` too.
   */
  hear(followed: readonly Followed[]): Promise<void>;
  now(): Promise<Snapshot>;
  /** Events between two moments in the order of their positions, up to `limit`. */
  read(range: EventRange): Promise<EventPage>;
  /** The place after an event, by the id that receivers know; undefined for one that is unknown or no longer kept. */
  find(workspaceId: string, eventId: string): Promise<Bookmark | undefined>;
  /** Id of the oldest event that is kept; undefined without any. */
  oldest(workspaceId: string, types: readonly string[]): Promise<string | undefined>;
  /** Which of the viewers see which of the events, as `viewer position`. */
  reaching(viewers: readonly string[], positions: readonly number[]): Promise<ReadonlySet<string>>;
  /** What restricted members get of the events, by `reader position`; what is hidden from them is missing. */
  inView(readers: readonly string[], positions: readonly number[]): Promise<ReadonlyMap<string, InView>>;
}

/** One stream that is open somewhere. */
export interface StreamLease {
  readonly id: string;
  readonly workspaceId: string;
  readonly credentialId: string;
}

/** Which streams are open, over all processes. */
export interface StreamLeases {
  /** Counts the stream, unless its credential has `limit` of them already. */
  open(lease: StreamLease, limit: number): Promise<boolean>;
  /** Says that these are still open; one that is not said so for half a minute is counted no longer. */
  extend(leases: readonly StreamLease[]): Promise<void>;
  close(id: string): Promise<void>;
  /** At the start of a process that is alone. */
  closeAll(): Promise<void>;
}
