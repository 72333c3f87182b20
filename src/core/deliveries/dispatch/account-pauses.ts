import { setTimeout as sleep } from 'node:timers/promises';
import { clock } from '../../../contract/clock.js';
import type { SendingConnection, WakeUps } from '../ports.js';

/** Maximum time that the worker sleeps for the wait of an account. For longer waits, a queue job wakes it. */
export const TIMEOUT_MS = 2_000;

/**
 * A new generation of a connection may use another account, which does not share the waits known here. A stored wait is
 * in `pausedUntil`.
 */
type Called = Pick<SendingConnection, 'generation' | 'pausedUntil'>;

/** The waits that platforms requested for accounts, as known to this process. */
export class AccountPauses {
  readonly #known = new Map<string, { readonly generation: number; readonly until: number }>();

  constructor(private readonly wakeUps: WakeUps) {}

  /** The remaining milliseconds; 0 or less without a pause. */
  leftMs(connectionId: string, called: Called): number {
    return this.until(connectionId, called) - clock.now();
  }

  /** Whether no write may begin. Sleeps through a short pause. For a long pause, it requests a queue job at its end. */
  async holdsBack(connectionId: string, called: Called, signal: AbortSignal): Promise<boolean> {
    const stored = called.pausedUntil?.getTime() ?? 0;
    if (stored > this.#noted(connectionId, called)) {
      this.note(connectionId, called, stored);
      await this.wakeUps.wakeConnection(connectionId, new Date(stored));
    }
    const waitMs = this.leftMs(connectionId, called);
    if (waitMs <= 0) return false;
    if (waitMs > TIMEOUT_MS) return true;
    await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    return signal.aborted;
  }

  until(connectionId: string, called: Called): number {
    return Math.max(this.#noted(connectionId, called), called.pausedUntil?.getTime() ?? 0);
  }

  note(connectionId: string, { generation }: Called, until: number): void {
    const known = this.#known.get(connectionId);
    if (known === undefined || known.generation <= generation)
      this.#known.set(connectionId, { generation, until });
  }

  #noted(connectionId: string, { generation }: Called): number {
    const known = this.#known.get(connectionId);
    return known?.generation === generation ? known.until : 0;
  }
}
