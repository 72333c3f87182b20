import type { DeliveryTask } from '../task.js';

/** The tasks of a dispatcher, from their lease to their recorded result. */
export class LeasedTasks {
  /** Links whose lanes are leased. */
  readonly lanes = new Set<string>();
  /** The number of tasks without a recorded result. */
  unfinished = 0;
  /** The number of those that wait for their first write. */
  waiting = 0;
  /** The number of tasks with a recorded result. */
  finished = 0;
  /** The dispatcher is woken when at most this many tasks wait for their first write. */
  refillAt = 0;
  readonly #running = new Set<Promise<void>>();
  readonly #onFinish = new Set<() => void>();

  /** `wake`: called when the dispatcher may lease more. */
  constructor(private readonly wake: () => void) {}

  add(tasks: readonly DeliveryTask[]): void {
    this.unfinished += tasks.length;
    this.waiting += tasks.length;
    for (const { link } of tasks) this.lanes.add(link.id);
  }

  /** Tracks the work on a task. `work` must never reject. */
  follow(work: Promise<void>): void {
    this.#running.add(work);
    void work.finally(() => this.#running.delete(work));
  }

  /** Call it once per task: at its first write, or at its end without a write. */
  began(): void {
    this.waiting -= 1;
    if (this.waiting <= this.refillAt) this.wake();
  }

  /** Call it when the result of a task is recorded or cannot be recorded. */
  finish(linkId: string): void {
    this.lanes.delete(linkId);
    this.unfinished -= 1;
    this.finished += 1;
    this.wake();
    for (const check of this.#onFinish) check();
  }

  /** Resolves when all work in progress has ended. */
  async all(): Promise<void> {
    await Promise.all(this.#running);
  }

  /** Resolves when `condition` is true, or after `limitMs`. Checks it whenever a task has finished. */
  async until(condition: () => boolean, limitMs: number): Promise<void> {
    if (condition()) return;
    let timer: NodeJS.Timeout | undefined;
    let check: () => void = () => undefined;
    await new Promise<void>((resolve) => {
      timer = setTimeout(resolve, limitMs);
      check = () => {
        if (condition()) resolve();
      };
      this.#onFinish.add(check);
    });
    clearTimeout(timer);
    this.#onFinish.delete(check);
  }
}
