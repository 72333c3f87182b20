import type { WakeUps } from '../ports.js';
import { TIMEOUT_MS } from './account-pauses.js';

/** Requests queue jobs for connections whose chats have no room for longer than a dispatcher waits. */
export class Reminders {
  /** The times of the requested jobs, by connection. */
  readonly #times = new Map<string, number>();

  constructor(private readonly wakeUps: WakeUps) {}

  /** `at`: by `clock.now()`. Does nothing when a job at about this time was the last one requested. */
  async remind(connectionId: string, at: number): Promise<void> {
    if (Math.abs(at - (this.#times.get(connectionId) ?? 0)) <= TIMEOUT_MS) return;
    this.#times.set(connectionId, at);
    await this.wakeUps.wakeConnection(connectionId, new Date(at));
  }
}
