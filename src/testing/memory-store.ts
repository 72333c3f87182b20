import type { ConformanceStore, ReceivedEvent } from './kit.js';

/** Keeps what was received as the bridge's database does: once per connection and key, and once per message of a chat, all or nothing. */
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
      // What is fetched from a history may have been an event as well: it is the same message.
      const id = JSON.stringify([event.chat.id, event.messageId]);
      if (known.has(id)) return [];
      known.add(id);
      return [event.content.text];
    });
  }
}
