import { PrioritySemaphore } from '../../common/priority-semaphore.js';
import type { DeliveryTask } from '../task.js';
import type { AttemptOpener } from './attempt-opener.js';
import type { PreSendCheck } from './pre-send-check.js';

/** Concurrent uploads of large files. More would share the same bandwidth, and each would exceed its time limit. */
const LARGE_AT_ONCE = 8;

/** The state of a connection's run in this process: its leased tasks, and what ends its wait for work. */
export class ConnectionRun {
  readonly slots: PrioritySemaphore;
  /** Slots for tasks with large files. */
  readonly uploads = new PrioritySemaphore(LARGE_AT_ONCE);
  /** Another claim was requested. */
  again: boolean;
  /** The next claim was requested by a queue job or a timer, and not only because a slot became free. */
  reminded: boolean;
  /** There may be due work that is not leased yet. */
  due: boolean;
  /** The time of the last claim, or of what made one unnecessary, by `performance.now()`. */
  lookedAt = 0;
  /** Links whose lanes are leased by tasks of this run. */
  readonly lanes = new Set<string>();
  /** The number of leased tasks without a recorded result. */
  underWay = 0;
  /** The number of those that wait for their first write. */
  awaiting = 0;
  /** The number of tasks with a recorded result. */
  ended = 0;
  /** The duration of the last write. */
  writeMs = 0;
  /** More tasks are leased when at most this many wait for their first write. */
  refillAt = 0;
  #wake: () => void = () => undefined;
  #onEnd = new Set<() => void>();
  readonly #running = new Set<Promise<void>>();

  constructor(
    readonly inFlight: number,
    readonly look: PreSendCheck,
    readonly openings: AttemptOpener,
    isReminded: boolean,
  ) {
    this.slots = new PrioritySemaphore(inFlight);
    this.again = isReminded;
    this.reminded = isReminded;
    this.due = isReminded;
  }

  remind(): void {
    this.again = true;
    this.#look();
    this.#wake();
  }

  /** Keeps the work on a task, from its lease to its recorded result. `task` never rejects. */
  follow(task: Promise<void>): void {
    this.#running.add(task);
    void task.finally(() => this.#running.delete(task));
  }

  /** Resolves when all work in progress has ended. */
  async all(): Promise<void> {
    await Promise.all(this.#running);
  }

  /** Call it when leased tasks were handed over. */
  wake(): void {
    this.#wake();
  }

  /**
   * Work waits in lanes that this run holds. A result that is recorded from now on reports it. A record in progress may have read
   * the lane before, so the run claims once more after it.
   */
  expect(): void {
    this.lookedAt = Math.max(this.lookedAt, performance.now());
  }

  /** Claims due work. A result whose record began before the end of the claim may free its lane too late for it. */
  async looking<Found>(look: () => Promise<Found>): Promise<Found> {
    this.due = false;
    this.lookedAt = Number.POSITIVE_INFINITY;
    try {
      return await look();
    } finally {
      this.lookedAt = performance.now();
    }
  }

  /** Adds leased tasks. `at`: when they were leased, by `clock.now()`. */
  took(tasks: readonly DeliveryTask[], at: number): void {
    this.openings.leased(tasks);
    const sends = tasks.filter(({ operation }) => operation === 'send');
    this.look.leased(
      sends.map(({ delivery_id: id }) => id),
      at,
    );
    this.underWay += tasks.length;
    this.awaiting += tasks.length;
    for (const { link } of tasks) this.lanes.add(link.id);
  }

  /** Call it when a result is recorded. `startedAt`: when its record began. `more`: its lane holds more work. */
  recorded(startedAt: number, more: boolean): void {
    if (more || startedAt <= this.lookedAt) this.due = true;
  }

  /** Call it at the first write of a task, or at its end without a write. */
  began(): void {
    this.awaiting -= 1;
    if (this.awaiting <= this.refillAt) this.#wake();
  }

  end(link: string): void {
    this.lanes.delete(link);
    this.underWay -= 1;
    this.ended += 1;
    this.#wake();
    for (const tell of this.#onEnd) tell();
  }

  /** Resolves when `isSo` is true, or after `limitMs`. Checks it whenever a task has ended. */
  async until(isSo: () => boolean, limitMs: number): Promise<void> {
    if (isSo()) return;
    let timer: NodeJS.Timeout | undefined;
    let tell: () => void = () => undefined;
    await new Promise<void>((resolve) => {
      timer = setTimeout(resolve, limitMs);
      tell = () => {
        if (isSo()) resolve();
      };
      this.#onEnd.add(tell);
    });
    clearTimeout(timer);
    this.#onEnd.delete(tell);
  }

  /** Resolves when something changed, or after `limitMs`, which then requests a claim. */
  async change(limitMs: number | undefined): Promise<void> {
    if (this.reminded) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      if (limitMs === undefined) return;
      timer = setTimeout(() => {
        this.#look();
        resolve();
      }, limitMs);
    });
    clearTimeout(timer);
    this.#wake = () => undefined;
  }

  #look(): void {
    this.reminded = true;
    this.due = true;
  }
}
