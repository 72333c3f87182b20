import type { StoredEvent } from '../webhooks/payload.js';

/**
 * A PostgreSQL snapshot: all transactions that had ended when it was taken. It has the text format of the database. The database
 * and `visibleIn` compare snapshots. A later snapshot sees everything that an earlier one sees.
 */
export type Snapshot = string;

/** An event with its place in the commit order. */
export interface LoggedEvent extends StoredEvent {
  readonly workspaceId: string;
  /** The transaction that wrote it. */
  readonly transaction: bigint;
}

/** A position from which to resume: after this event. */
export interface Bookmark {
  readonly position: number;
  readonly transaction: bigint;
  /** Snapshot of everything that was certainly committed before the event. */
  readonly seen: Snapshot;
}

export interface EventRange {
  readonly workspaceIds: readonly string[];
  readonly types: readonly string[];
  /** Only events that this snapshot does not see … */
  readonly after: Snapshot;
  /** … and that this one sees. Default: the current snapshot. */
  readonly upTo?: Snapshot;
  /** Only events after this position. Reads the next page of a range. */
  readonly afterPosition: number;
  readonly limit: number;
}

export interface EventPage {
  /** The snapshot up to which events were read: `upTo`, or the current one. */
  readonly upTo: Snapshot;
  readonly events: readonly LoggedEvent[];
}

/** A workspace whose events are streamed. */
export interface Followed {
  readonly workspaceId: string;
  readonly moves: boolean;
}

/** `lost`: the event removes a conversation from the reader's view. */
export type InView = 'shown' | 'lost';

/** Committed events of the last 24 hours, in commit order. */
export interface EventLog {
  /**
   * Subscribes to events of these workspaces. Changes that begin after it resolves are recorded. Recording continues for a day,
   * so that a stream can be resumed. `moves` includes `delivery.updated`.
   */
  hear(followed: readonly Followed[]): Promise<void>;
  now(): Promise<Snapshot>;
  /** Events between two snapshots by position, at most `limit`. */
  read(range: EventRange): Promise<EventPage>;
  /** The bookmark after an event, by its public id. Undefined if the event is unknown or no longer kept. */
  find(workspaceId: string, eventId: string): Promise<Bookmark | undefined>;
  /** Id of the oldest event that is kept. Undefined if there is none. */
  oldest(workspaceId: string, types: readonly string[]): Promise<string | undefined>;
  /** Which viewers see which events, as `viewer position`. */
  reaching(viewers: readonly string[], positions: readonly number[]): Promise<ReadonlySet<string>>;
  /** What restricted members get of the events, by `reader position`. Events that are hidden from them are missing. */
  inView(readers: readonly string[], positions: readonly number[]): Promise<ReadonlyMap<string, InView>>;
}

/** An open stream of any process. */
export interface StreamLease {
  readonly id: string;
  readonly workspaceId: string;
  readonly credentialId: string;
}

/** Open streams of all processes. */
export interface StreamLeases {
  /** Counts the stream. False if its credential already has `limit` streams. */
  open(lease: StreamLease, limit: number): Promise<boolean>;
  /** Renews the leases of open streams. A stream that is not renewed for 30 seconds no longer counts. */
  extend(leases: readonly StreamLease[]): Promise<void>;
  close(id: string): Promise<void>;
  /** For the start of a process that is alone on its database. */
  closeAll(): Promise<void>;
}
