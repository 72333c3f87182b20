import type { Stopwatch } from '../../common/stopwatch.js';
import type { DeliveryTask } from '../task.js';

/** A lane of a connection. */
export interface Lane {
  readonly connection_id: string;
  readonly link_id: string;
}

/** Those of this process that send. */
export interface LocalDispatcher {
  /** Connections that would send at once what is leased for them now. */
  ready(): readonly string[];
  /** Connections that would take more than they can send at once, with how many each takes now. */
  rooms(): Readonly<Record<string, number>>;
  /** Resolves once a connection would take so many, or after `patienceMs`. */
  awaitRoom(connectionId: string, least: number, patienceMs: number): Promise<void>;
  /** Sends that were leased as they were stored, asked for at this moment. */
  take(tasks: readonly DeliveryTask[], askedAt: Stopwatch): Promise<void>;
  /** Copies were stored that wait in these lanes. Their reminders follow in any case. */
  wake(lanes: readonly Lane[]): void;
}

/** For a process that doesn't send. */
export const noDispatcher: LocalDispatcher = {
  ready: () => [],
  rooms: () => ({}),
  awaitRoom: async () => undefined,
  take: async () => undefined,
  wake: () => undefined,
};
