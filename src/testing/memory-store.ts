import type { ConformanceStore, ReceivedEvent } from './kit.js';

/** Keeps what was received as the bridge's database does: once per connection and key, all or nothing. */
export class MemoryStore implements ConformanceStore {
  readonly #received = new Map<string, ReceivedEvent[]>();
  readonly #keys = new Set<string>();

  async receive(connection: string, received: ReceivedEvent): Promise<void> {
    const key = JSON.stringify([connection, received.envelope.dedupeKey]);
    if (this.#keys.has(key)) return;
    this.#keys.add(key);
    const known = this.#received.get(connection);
    if (known === undefined) this.#received.set(connection, [received]);
    else known.push(received);
  }

  async texts(connection: string): Promise<readonly string[]> {
    const events = (this.#received.get(connection) ?? []).flatMap((received) => received.events);
    return events.flatMap((event) =>
      event.type === 'message' && event.echo !== true ? [event.content.text] : [],
    );
  }
}
