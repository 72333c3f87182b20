import { setTimeout as delay } from 'node:timers/promises';
import { clock } from '../../../src/contract/index.js';

const REDIAL_MS = { first: 250, max: 30_000 };
/**
 * One identify per five seconds (https://docs.discord.com/developers/events/gateway#rate-limiting), then exponentially
 * fewer.
 */
const IDENTIFY_MS = { first: 5_000, max: 900_000 };
const REMEMBER_MS = 3_600_000;

/** Decides when the next dial may happen. A flapping gateway must not use up the 1000 identifies of a day. */
export class ReconnectPacing {
  #failures = 0;
  #up = false;
  #waitMs = 0;
  #identifies: number[] = [];

  /** Consecutive dials without a working connection. */
  get failures(): number {
    return this.#failures;
  }

  /** Whether the last dial led to a working connection. Its loss is then routine. */
  get wasUp(): boolean {
    return this.#up;
  }

  /** Waits until the next dial is allowed, or until `signal` is aborted. */
  async awaitPermit(resuming: boolean, signal: AbortSignal): Promise<void> {
    const ms = Math.max(this.#waitMs, resuming ? 0 : this.#identifyWaitMs());
    this.#waitMs = 0;
    if (ms === 0) return;
    await delay(ms, undefined, { signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }

  identified(): void {
    this.#identifies.push(clock.now());
  }

  succeeded(): void {
    this.#failures = 0;
    this.#up = true;
  }

  /** Records a failed dial or the end of a connection. `atLeastMs` is a wait that Discord requires. */
  failed(atLeastMs = 0): void {
    const ms = Math.min(REDIAL_MS.first * 2 ** this.#failures, REDIAL_MS.max);
    // Many bots lose their connections at the same moment. Jitter spreads their reconnects.
    this.#waitMs = Math.max(atLeastMs, ms * (0.75 + Math.random() * 0.5));
    this.#failures += 1;
    this.#up = false;
  }

  #identifyWaitMs(): number {
    const now = clock.now();
    this.#identifies = this.#identifies.filter((at) => now - at < REMEMBER_MS);
    const last = this.#identifies.at(-1);
    if (last === undefined) return 0;
    const spacing = Math.min(IDENTIFY_MS.first * 2 ** (this.#identifies.length - 1), IDENTIFY_MS.max);
    return Math.max(0, last + spacing - now);
  }
}
