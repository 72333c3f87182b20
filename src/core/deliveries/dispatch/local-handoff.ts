import type { Stopwatch } from '../../common/stopwatch.js';
import type { AccountRate } from '../../rates/rates.js';
import type { DeliveryTask } from '../task.js';
import type { ConnectionRun } from './connection-run.js';

/** So many connections are offered to be sent for: those that had something to send last. */
const RECENT = 64;

/** Tasks that were leased together, asked for at this moment. */
export interface Leased {
  readonly tasks: readonly DeliveryTask[];
  readonly askedAt: Stopwatch;
}

/** Whether what is leased now can be written at once: nothing waits for a place, or for the account's turn. */
export function hasRoom(round: ConnectionRun, account: AccountRate | null): boolean {
  return round.underWay < round.inFlight && (account === null || round.awaiting === 0);
}

/** Tasks that were leased where their messages were stored, until a run takes them up. */
export class LocalHandoff {
  readonly #waiting = new Map<string, Leased[]>();
  readonly #recent = new Set<string>();

  /** The connection has something to send. */
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

  /** So many tasks wait for a run of this connection. */
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
