import type { WakeUps } from '../ports.js';
import { TIMEOUT_MS } from './account-pauses.js';

/** Requests queue jobs for connections whose chats have no capacity for longer than a dispatcher waits. */
export class Reminders {
  /** The times of the requested jobs, by connection. */
  readonly #times = new Map<string, number>();

  constructor(private readonly wakeUps: WakeUps) {}

  /** `at` is a time by `clock.now()`. Does nothing if the last requested job is due at about the same time. */
  async remind(connectionId: string, at: number): Promise<void> {
    if (Math.abs(at - (this.#times.get(connectionId) ?? 0)) <= TIMEOUT_MS) return;
    this.#times.set(connectionId, at);
    await this.wakeUps.wakeConnection(connectionId, new Date(at));
  }
}
