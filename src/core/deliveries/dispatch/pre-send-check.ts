import { clock } from '../../../contract/clock.js';
import type { DeliveryStore } from '../ports.js';

/** Maximum age of a check. A send begins at most this long after it was stopped. */
export const FRESH_MS = 500;
/** Those leased first go first; who waits longer than an answer stays fresh is looked at again. */
const LEAST = 64;
const MOST = 512;

/**
 * Asks right before a write whether it may still begin. Between its lease and its turn a send can wait, and meanwhile its
 * broadcast be paused or canceled, or its recipient say STOP. One look tells of all that go next.
 */
export class PreSendCheck {
  readonly #knownAt = new Map<string, number>();
  readonly #withheld = new Set<string>();
  /** How many went since the latest look, of which the next one is about twice as many. */
  #gone = 0;
  #look:
    | { readonly startedAt: number; readonly of: ReadonlySet<string>; readonly done: Promise<void> }
    | undefined;

  constructor(private readonly store: Pick<DeliveryStore, 'withheld'>) {}

  /** These were leased, and could be sent, at a time. */
  leased(deliveryIds: readonly string[], at: number): void {
    for (const id of deliveryIds) this.#knownAt.set(id, at);
  }

  /** Whether its turn may be used. Each lease is asked about once. */
  async permits(deliveryId: string): Promise<boolean> {
    const oldest = clock.now() - FRESH_MS;
    try {
      if ((this.#knownAt.get(deliveryId) ?? 0) < oldest) await this.#lookAt(deliveryId, oldest);
      this.#gone += 1;
      return !this.#withheld.has(deliveryId);
    } finally {
      this.forget(deliveryId);
    }
  }

  /** It will not be asked about. */
  forget(deliveryId: string): void {
    this.#knownAt.delete(deliveryId);
    this.#withheld.delete(deliveryId);
  }

  /** By the look that is under way, if it began late enough and is about this one too. */
  async #lookAt(deliveryId: string, oldest: number): Promise<void> {
    if (this.#look === undefined || this.#look.startedAt < oldest || !this.#look.of.has(deliveryId)) {
      const of = new Set([
        deliveryId,
        ...this.#next(Math.min(Math.max(LEAST, 2 * this.#gone), MOST), oldest),
      ]);
      this.#gone = 0;
      const startedAt = clock.now();
      this.#look = { startedAt, of, done: this.#lookAtAll(of, startedAt) };
    }
    await this.#look.done;
  }

  /** Of those that are not known freshly and that the look under way is not about. */
  *#next(most: number, oldest: number): Iterable<string> {
    const asked = this.#look;
    let left = most;
    for (const [id, knownAt] of this.#knownAt) {
      if (left === 0) return;
      if (knownAt >= oldest || (asked !== undefined && asked.startedAt >= oldest && asked.of.has(id)))
        continue;
      left -= 1;
      yield id;
    }
  }

  async #lookAtAll(waiting: ReadonlySet<string>, startedAt: number): Promise<void> {
    const withheld = await this.store.withheld([...waiting]);
    for (const id of waiting) if (this.#knownAt.has(id)) this.#knownAt.set(id, startedAt);
    for (const id of withheld) if (this.#knownAt.has(id)) this.#withheld.add(id);
  }
}
