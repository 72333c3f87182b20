import type { ConformanceStore, ReceivedEvent } from './kit.js';

/** Stores events like the bridge's database: atomically, once per connection and key, and once per message of a chat. */
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
    const known = new Set<string>();
    return events.flatMap((event) => {
      if (event.type !== 'message' || event.echo === true) return [];
      // A message that is fetched from a history may have arrived as an event before.
      const id = JSON.stringify([event.chat.id, event.messageId]);
      if (known.has(id)) return [];
      known.add(id);
      return [event.content.text];
    });
  }
}
