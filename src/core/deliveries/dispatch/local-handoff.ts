import type { Log } from '../../common/log.js';
import type { Stopwatch } from '../../common/stopwatch.js';
import type { DeliveryTask } from '../task.js';
import { untouched } from '../task-result.js';
import type { ResultBatcher } from './result-batcher.js';

/** Number of connections remembered as recent senders. */
const RECENT = 64;

/** Tasks that were leased together. `askedAt` started before the lease. */
export interface Leased {
  readonly tasks: readonly DeliveryTask[];
  readonly askedAt: Stopwatch;
}

/** Keeps tasks that were leased when their messages were stored, until a dispatcher takes them. */
export class LocalHandoff {
  readonly #waiting = new Map<string, Leased[]>();
  readonly #recent = new Set<string>();

  constructor(
    private readonly results: ResultBatcher,
    private readonly log: Log,
  ) {}

  /** Marks the connection as the most recent sender. */
  note(connectionId: string): void {
    this.#recent.delete(connectionId);
    this.#recent.add(connectionId);
    const [oldest] = this.#recent;
    if (this.#recent.size > RECENT && oldest !== undefined) this.#recent.delete(oldest);
  }

  get recent(): readonly string[] {
    return [...this.#recent];
  }

  add(connectionId: string, leased: Leased): void {
    const waiting = this.#waiting.get(connectionId);
    if (waiting === undefined) this.#waiting.set(connectionId, [leased]);
    else waiting.push(leased);
  }

  has(connectionId: string): boolean {
    return this.#waiting.has(connectionId);
  }

  /** The number of tasks that wait for a dispatcher of this connection. */
  count(connectionId: string): number {
    const waiting = this.#waiting.get(connectionId) ?? [];
    return waiting.reduce((sum, { tasks }) => sum + tasks.length, 0);
  }

  takeAll(connectionId: string): readonly Leased[] {
    const waiting = this.#waiting.get(connectionId) ?? [];
    this.#waiting.delete(connectionId);
    return waiting;
  }

  /** Releases tasks that no dispatcher has taken. They are due again immediately, and no attempt is counted. */
  async release(connectionId: string): Promise<void> {
    const tasks = this.takeAll(connectionId).flatMap((leased) => leased.tasks);
    await Promise.all(tasks.map((task) => this.results.add(untouched(task)))).catch((err: unknown) => {
      this.log.error({ err, connection_id: connectionId }, 'attempt.lost');
    });
  }
}
