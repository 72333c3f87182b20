import type { Stopwatch } from '../../common/stopwatch.js';
import type { AccountRate } from '../../rates/rates.js';
import type { DeliveryTask } from '../task.js';
import type { ConnectionRun } from './connection-run.js';

/** The number of connections that are remembered as recent senders. */
const RECENT = 64;

/** Tasks that were leased together. `askedAt` started before the lease. */
export interface Leased {
  readonly tasks: readonly DeliveryTask[];
  readonly askedAt: Stopwatch;
}

/** Whether a task can be written immediately: a slot is free, and nothing waits for the account's rate. */
export function hasRoom(round: ConnectionRun, account: AccountRate | null): boolean {
  return round.underWay < round.inFlight && (account === null || round.awaiting === 0);
}

/** Keeps tasks that were leased when their messages were stored, until a run takes them. */
export class LocalHandoff {
  readonly #waiting = new Map<string, Leased[]>();
  readonly #recent = new Set<string>();

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

  /** The number of tasks that wait for a run of this connection. */
  count(connectionId: string): number {
    const waiting = this.#waiting.get(connectionId) ?? [];
    return waiting.reduce((sum, { tasks }) => sum + tasks.length, 0);
  }

  takeAll(connectionId: string): readonly Leased[] {
    const waiting = this.#waiting.get(connectionId) ?? [];
    this.#waiting.delete(connectionId);
    return waiting;
  }
}
