import { LRUCache } from 'lru-cache';
import type { CallSignal, CallSockets } from '../../core/calls/ports.js';
import type { Log } from '../../core/common/log.js';

const REMEMBERED = 10_000;
const MAX_AT_ONCE = 100;

/**
 * Delivers committed frames in the order of their notifications, each once.
 *
 * Notifications may be lost while the listener is disconnected, so `catchUp` must be called after each reconnect.
 */
export class SignalFeed {
  readonly #seen = new LRUCache<string, true>({ max: REMEMBERED });
  #waiting: string[] = [];
  #reading: Promise<void> | undefined;

  constructor(
    private readonly sockets: Pick<CallSockets, 'signals' | 'recentSignals'>,
    private readonly deliver: (signal: CallSignal, late: boolean) => void,
    private readonly log: Log,
  ) {}

  hear(id: string): void {
    this.#waiting.push(id);
    this.poll();
  }

  /** Reads the frames that wait, including those that could not be read before. */
  poll(): void {
    if (this.#waiting.length === 0 || this.#reading !== undefined) return;
    this.#reading = this.#read().finally(() => {
      this.#reading = undefined;
    });
  }

  async catchUp(): Promise<void> {
    try {
      this.#pass(await this.sockets.recentSignals(), true);
    } catch (err) {
      this.log.warn({ err }, 'rtc_signals.catch_up_failed');
    }
  }

  async #read(): Promise<void> {
    while (this.#waiting.length > 0) {
      const ids = this.#waiting.slice(0, MAX_AT_ONCE);
      try {
        this.#pass(await this.sockets.signals(ids), false);
      } catch (err) {
        // The frames wait for the next poll.
        this.log.warn({ err }, 'rtc_signals.read_failed');
        return;
      }
      this.#waiting.splice(0, ids.length);
    }
  }

  #pass(signals: readonly CallSignal[], late: boolean): void {
    for (const signal of signals) {
      if (this.#seen.has(signal.id)) continue;
      this.#seen.set(signal.id, true);
      this.deliver(signal, late);
    }
  }
}
