import { PrioritySemaphore } from '../../common/priority-semaphore.js';
import type { DeliveryTask } from '../task.js';
import type { AttemptOpener } from './attempt-opener.js';
import type { PreSendCheck } from './pre-send-check.js';

/** Large files that are uploaded at once: more of them would only share the same line, and each be too slow. */
const LARGE_AT_ONCE = 8;

/** The run that is under way for a connection: what it has in hand, and what ends its wait. */
export class ConnectionRun {
  readonly slots: PrioritySemaphore;
  /** Of those whose files are large. */
  readonly uploads = new PrioritySemaphore(LARGE_AT_ONCE);
  /** Another look was requested. */
  again: boolean;
  /** The next look has a reason of its own, not only the room that was made. */
  reminded: boolean;
  /** There may be more than what was leased: a look can find something. */
  due: boolean;
  /** The latest look, or what had been one, on the clock of `performance`. */
  lookedAt = 0;
  /** Links whose lanes are held by tasks of this round. */
  readonly lanes = new Set<string>();
  /** Tasks that are leased and not recorded yet. */
  underWay = 0;
  /** Those among them that wait for their first write. */
  awaiting = 0;
  /** Tasks that were recorded. */
  ended = 0;
  /** How long the latest write took. */
  writeMs = 0;
  /** Below so many that wait, more are leased. */
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

  /** What is done of a task, from its lease to its record; never rejects. */
  follow(task: Promise<void>): void {
    this.#running.add(task);
    void task.finally(() => this.#running.delete(task));
  }

  /** Resolves when everything that is under way has ended. */
  async all(): Promise<void> {
    await Promise.all(this.#running);
  }

  /** Something was handed over. */
  wake(): void {
    this.#wake();
  }

  /**
   * Something waits in lanes that are held here. A record that is begun later tells of it; those that are under way may have
   * looked too early.
   */
  expect(): void {
    this.lookedAt = Math.max(this.lookedAt, performance.now());
  }

  /** A look for what is due. Lanes that are freed by a record from before its end may be free too late for it. */
  async looking<Found>(look: () => Promise<Found>): Promise<Found> {
    this.due = false;
    this.lookedAt = Number.POSITIVE_INFINITY;
    try {
      return await look();
    } finally {
      this.lookedAt = performance.now();
    }
  }

  /** Tasks were leased, or handed over with their lease, at a time by the clock of this process. */
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

  /** A task was recorded, which was begun at `startedAt`; `more`: its lane holds more work. */
  recorded(startedAt: number, more: boolean): void {
    if (more || startedAt <= this.lookedAt) this.due = true;
  }

  /** A task makes its first write, or has ended without one. */
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

  /** Resolves once `isSo`, which is asked whenever a task has ended, or after `limitMs`. */
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

  /** Resolves when something changed, or after `limitMs`, which is then a reason to look. */
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
