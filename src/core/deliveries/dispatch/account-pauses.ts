import { setTimeout as sleep } from 'node:timers/promises';
import { clock } from '../../../contract/clock.js';
import type { SendingConnection, WakeUps } from '../ports.js';

/** Longer account waits than this are left to a reminder instead of being slept through. */
export const PATIENCE_MS = 2_000;

/** Another generation may be another account; a wait that binds it as well is stored. */
type Called = Pick<SendingConnection, 'generation' | 'pausedUntil'>;

/** Until when platforms have asked accounts to wait, as far as this process knows. */
export class AccountPauses {
  readonly #known = new Map<string, { readonly generation: number; readonly until: number }>();

  constructor(private readonly wakeUps: WakeUps) {}

  /** Milliseconds that are left; not above 0 when there is no pause. */
  leftMs(connectionId: string, called: Called): number {
    return this.until(connectionId, called) - clock.now();
  }

  /** Whether nothing may be begun: the rest of a short pause is waited for, at the end of a long one is a reminder. */
  async holdsBack(connectionId: string, called: Called, signal: AbortSignal): Promise<boolean> {
    const stored = called.pausedUntil?.getTime() ?? 0;
    if (stored > this.#noted(connectionId, called)) {
      this.note(connectionId, called, stored);
      await this.wakeUps.wakeConnection(connectionId, new Date(stored));
    }
    const waitMs = this.leftMs(connectionId, called);
    if (waitMs <= 0) return false;
    if (waitMs > PATIENCE_MS) return true;
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
