import type { DeliveryStore } from '../ports.js';
import type { DeliveryTask } from '../task.js';

/** `together`: attempts per transaction. `low`: the next ones are opened when fewer than this many are unused. */
export interface OpenAhead {
  readonly together: number;
  readonly low: number;
}

/**
 * Opens the attempts of leased sends in batches, shortly before they are written. When the process dies, only deliveries with an
 * open attempt can be uncertain. The other leased deliveries are due again.
 */
export class AttemptOpener {
  /** Leased sends without an attempt, in the order of their leases. */
  readonly #ahead = new Map<string, DeliveryTask>();
  /** Deliveries with an open attempt whose write has not begun. */
  readonly #ready = new Set<string>();
  #opening: Promise<void> | undefined;

  constructor(
    private readonly store: Pick<DeliveryStore, 'openAttempts'>,
    private readonly ahead: OpenAhead,
  ) {}

  /** The number of attempts to open together with a lease while `free` slots are free. */
  atOnce(free: number): number {
    return Math.min(free, this.ahead.together);
  }

  leased(tasks: readonly DeliveryTask[]): void {
    for (const task of tasks) if (isAhead(task)) this.#ahead.set(task.delivery_id, task);
  }

  /**
   * Call it right before the first write of a task. Resolves with false if another worker has the lane; then nothing
   * may be written.
   */
  async open(task: DeliveryTask): Promise<boolean> {
    if (task.operation !== 'send') return true;
    while (isAhead(task)) {
      if (this.#opening === undefined && !this.#ahead.has(task.delivery_id)) return false;
      await (this.#opening ?? this.#openNext(task));
    }
    this.#ready.delete(task.delivery_id);
    // An error is ignored here: the task that needs its attempt next opens it again and reports the error.
    if (this.#ready.size < this.ahead.low && this.#opening === undefined)
      this.#openNext().catch(() => undefined);
    return true;
  }

  /** Call it for a task that will not be written. */
  forget(task: DeliveryTask): void {
    this.#ahead.delete(task.delivery_id);
    this.#ready.delete(task.delivery_id);
  }

  #openNext(first?: DeliveryTask): Promise<void> {
    const next = first === undefined ? [] : [first];
    for (const task of this.#ahead.values()) {
      if (next.length >= this.ahead.together) break;
      if (task !== first) next.push(task);
    }
    if (next.length === 0) return Promise.resolve();
    this.#opening = this.#openAll(next).finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #openAll(tasks: readonly DeliveryTask[]): Promise<void> {
    const ids = await this.store.openAttempts(tasks);
    for (const task of tasks) {
      this.#ahead.delete(task.delivery_id);
      const id = ids.get(task.delivery_id);
      if (id === undefined) continue;
      task.attempt_id = id;
      this.#ready.add(task.delivery_id);
    }
  }
}

function isAhead({ operation, attempt_id: attempt }: DeliveryTask): boolean {
  return operation === 'send' && attempt === null;
}
