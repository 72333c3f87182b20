import type { DeliveryStore } from '../ports.js';
import type { DeliveryTask } from '../task.js';

/** How many attempts are opened together, and with fewer than how many left the next ones are. */
export interface OpenAhead {
  readonly together: number;
  readonly low: number;
}

/**
 * Opens the attempts of sends that were leased ahead, in groups and right before they are written. What a process leaves
 * behind when it dies is uncertain only where an attempt was open; the rest is due again.
 */
export class AttemptOpener {
  /** Leased and not open, in the order of their lease. */
  readonly #ahead = new Map<string, DeliveryTask>();
  /** Deliveries whose attempt was opened ahead and is not begun. */
  readonly #ready = new Set<string>();
  #opening: Promise<void> | undefined;

  constructor(
    private readonly store: Pick<DeliveryStore, 'openAttempts'>,
    private readonly ahead: OpenAhead,
  ) {}

  /** So many of a lease are opened with it, when this many can be begun. */
  atOnce(free: number): number {
    return Math.min(free, this.ahead.together);
  }

  leased(tasks: readonly DeliveryTask[]): void {
    for (const task of tasks) if (isAhead(task)) this.#ahead.set(task.delivery_id, task);
  }

  /** Right before the first write of a task. False: its lane was taken over, nothing may be written. */
  async open(task: DeliveryTask): Promise<boolean> {
    if (task.operation !== 'send') return true;
    while (isAhead(task)) {
      if (this.#opening === undefined && !this.#ahead.has(task.delivery_id)) return false;
      await (this.#opening ?? this.#openNext(task));
    }
    this.#ready.delete(task.delivery_id);
    // What fails ahead of time fails again for those whose turn it is.
    if (this.#ready.size < this.ahead.low && this.#opening === undefined)
      this.#openNext().catch(() => undefined);
    return true;
  }

  /** It will not be written. */
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
