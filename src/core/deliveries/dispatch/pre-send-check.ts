import { clock } from '../../../contract/clock.js';
import type { DeliveryStore } from '../ports.js';

/** Maximum age of a check. A send may begin at most this long after it was stopped. */
export const FRESH_MS = 500;
/** Minimum and maximum number of deliveries per check, in the order of their leases. */
const MIN_DELIVERIES = 64;
const MAX_DELIVERIES = 512;

/**
 * Checks right before a write whether it may still begin. While a leased send waits, its broadcast may be paused or
 * canceled, or its recipient may opt out. One query checks all sends that are next.
 */
export class PreSendCheck {
  readonly #knownAt = new Map<string, number>();
  readonly #withheld = new Set<string>();
  /** Permitted sends since the last query. The next query checks about twice as many. */
  #permitted = 0;
  #query:
    | { readonly startedAt: number; readonly of: ReadonlySet<string>; readonly done: Promise<void> }
    | undefined;

  constructor(private readonly store: Pick<DeliveryStore, 'withheld'>) {}

  /** Adds deliveries that could be sent when they were leased at `at`. */
  leased(deliveryIds: readonly string[], at: number): void {
    for (const id of deliveryIds) this.#knownAt.set(id, at);
  }

  /** Whether the write may begin. Call it once per lease. */
  async permits(deliveryId: string): Promise<boolean> {
    const oldest = clock.now() - FRESH_MS;
    try {
      if ((this.#knownAt.get(deliveryId) ?? 0) < oldest) await this.#check(deliveryId, oldest);
      this.#permitted += 1;
      return !this.#withheld.has(deliveryId);
    } finally {
      this.forget(deliveryId);
    }
  }

  /** Call it for a delivery that will not be checked. */
  forget(deliveryId: string): void {
    this.#knownAt.delete(deliveryId);
    this.#withheld.delete(deliveryId);
  }

  /** Uses the query in progress if it is fresh enough and includes this delivery. */
  async #check(deliveryId: string, oldest: number): Promise<void> {
    if (this.#query === undefined || this.#query.startedAt < oldest || !this.#query.of.has(deliveryId)) {
      const of = new Set([
        deliveryId,
        ...this.#next(Math.min(Math.max(MIN_DELIVERIES, 2 * this.#permitted), MAX_DELIVERIES), oldest),
      ]);
      this.#permitted = 0;
      const startedAt = clock.now();
      this.#query = { startedAt, of, done: this.#checkAll(of, startedAt) };
    }
    await this.#query.done;
  }

  /** The next deliveries without a fresh result that the query in progress does not include. */
  *#next(limit: number, oldest: number): Iterable<string> {
    const query = this.#query;
    let left = limit;
    for (const [id, knownAt] of this.#knownAt) {
      if (left === 0) return;
      if (knownAt >= oldest || (query !== undefined && query.startedAt >= oldest && query.of.has(id)))
        continue;
      left -= 1;
      yield id;
    }
  }

  async #checkAll(waiting: ReadonlySet<string>, startedAt: number): Promise<void> {
    const withheld = await this.store.withheld([...waiting]);
    for (const id of waiting) if (this.#knownAt.has(id)) this.#knownAt.set(id, startedAt);
    for (const id of withheld) if (this.#knownAt.has(id)) this.#withheld.add(id);
  }
}
