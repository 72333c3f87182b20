import type { Stopwatch } from '../../common/stopwatch.js';
import type { DeliveryTask } from '../task.js';

/** A lane of a connection. */
export interface Lane {
  readonly connection_id: string;
  readonly link_id: string;
}

/** The delivery workers of this process. */
export interface LocalDispatcher {
  /** Connections that can write a leased task immediately. */
  ready(): readonly string[];
  /** The number of sends that may be leased ahead, by connection. */
  capacities(): Readonly<Record<string, number>>;
  /** Resolves when a connection has capacity for `least` sends, or after `maxWaitMs`. */
  awaitCapacity(connectionId: string, least: number, maxWaitMs: number): Promise<void>;
  /** Takes sends that were leased when they were stored. `askedAt` started before the lease. */
  take(tasks: readonly DeliveryTask[], askedAt: Stopwatch): Promise<void>;
  /** Reports that copies wait in these lanes. Queue jobs for them follow in any case. */
  wake(lanes: readonly Lane[]): void;
}

/** For a process without delivery workers. */
export const noDispatcher: LocalDispatcher = {
  ready: () => [],
  capacities: () => ({}),
  awaitCapacity: async () => undefined,
  take: async () => undefined,
  wake: () => undefined,
};
