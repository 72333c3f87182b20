import { setTimeout as sleep } from 'node:timers/promises';
import { clock } from '../../contract/clock.js';
import type { SendingConnection, WakeUps } from '../ports/deliveries.js';

/** Longer account waits than this are left to a reminder instead of being slept through. */
export const PATIENCE_MS = 2_000;

/** Until when platforms have asked accounts to wait, as far as this process knows. */
export class AccountPauses {
  readonly #until = new Map<string, number>();

  constructor(private readonly wakeUps: WakeUps) {}

  /** Milliseconds that are left; not above 0 when there is no pause. */
  leftMs(connectionId: string): number {
    return this.until(connectionId) - clock.now();
  }

  /** Whether nothing may be begun: the rest of a short pause is waited for, at the end of a long one is a reminder. */
  async holdsBack(
    connectionId: string,
    { pausedUntil }: SendingConnection,
    signal: AbortSignal,
  ): Promise<boolean> {
    const stored = pausedUntil?.getTime() ?? 0;
    if (stored > this.until(connectionId)) {
      this.#until.set(connectionId, stored);
      await this.wakeUps.wakeConnection(connectionId, new Date(stored));
    }
    const waitMs = this.leftMs(connectionId);
    if (waitMs <= 0) return false;
    if (waitMs > PATIENCE_MS) return true;
    await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    return signal.aborted;
  }

  until(connectionId: string): number {
    return this.#until.get(connectionId) ?? 0;
  }

  note(connectionId: string, until: number): void {
    this.#until.set(connectionId, until);
  }
}
