import type { SendingConnections } from '../ports.js';
import type { AccountPauses } from './account-pauses.js';
import type { Dispatcher } from './dispatcher.js';
import { canWriteNow, capacityAhead } from './lease-sizes.js';
import type { LocalHandoff } from './local-handoff.js';

/** The number of deliveries that may be leased for this process when they are stored, for connections that sent recently. */
export class LocalCapacity {
  #closed = false;

  constructor(
    private readonly dispatchers: ReadonlyMap<string, Dispatcher>,
    private readonly connections: SendingConnections,
    private readonly pauses: AccountPauses,
    private readonly handoff: LocalHandoff,
  ) {}

  /** Accepts no more tasks. */
  close(): void {
    this.#closed = true;
  }

  /** Connections that can write a leased task immediately. */
  ready(): readonly string[] {
    if (this.#closed) return [];
    return this.handoff.recent.filter((id) => {
      const dispatcher = this.dispatchers.get(id);
      const connection = this.connections.find(id);
      if (connection === undefined || this.pauses.leftMs(id, connection) > 0) return false;
      return dispatcher === undefined || canWriteNow(dispatcher, connection.account);
    });
  }

  /** The number of sends that may be leased ahead, by connection. */
  ahead(): Readonly<Record<string, number>> {
    if (this.#closed) return {};
    const capacities = this.handoff.recent.map((id) => [id, this.#aheadOf(id)] as const);
    return Object.fromEntries(capacities.filter(([, capacity]) => capacity > 0));
  }

  /** Resolves when a connection has capacity for `least` sends, or after `maxWaitMs`. */
  async awaitAhead(connectionId: string, least: number, maxWaitMs: number): Promise<void> {
    const leased = this.dispatchers.get(connectionId)?.leased;
    await leased?.until(() => this.#aheadOf(connectionId) >= least, maxWaitMs);
  }

  #aheadOf(connectionId: string): number {
    const connection = this.connections.find(connectionId);
    if (connection === undefined || this.pauses.leftMs(connectionId, connection) > 0) return 0;
    const capacity = capacityAhead(this.dispatchers.get(connectionId), connection.account);
    return Math.max(0, capacity - this.handoff.count(connectionId));
  }
}
