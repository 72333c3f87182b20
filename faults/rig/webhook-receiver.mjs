import { once } from 'node:events';
import { createServer } from 'node:http';

/** A client's webhook receiver. It keeps every event by id and counts its deliveries. */
export class WebhookReceiver {
  /** Name, data and number of deliveries of each event, by id. */
  events = new Map();
  /** Number of further events whose first delivery gets a 503. */
  refusals = 0;
  /** Largest difference between a signed time and the local time, in seconds. */
  furthest = 0;
  #refused = new Set();
  #server = createServer((request, response) => this.#receive(request, response));

  /** Resolves with the URL to register. */
  async open() {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${this.#server.address().port}/events`;
  }

  /** Distinct events with this name. */
  of(name) {
    return [...this.events.values()].filter(({ event }) => event === name);
  }

  async close() {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #receive(request, response) {
    const pieces = [];
    try {
      for await (const piece of request) pieces.push(piece);
    } catch {
      // The sender was killed during its request.
      return;
    }
    const signedAt = Number(request.headers['webhook-timestamp']) * 1000;
    this.furthest = Math.max(this.furthest, Math.abs(Date.now() - signedAt) / 1000);
    const { id, event, data } = JSON.parse(Buffer.concat(pieces).toString());
    if (this.refusals > 0 && !this.#refused.has(id)) {
      this.refusals -= 1;
      this.#refused.add(id);
      response.writeHead(503).end();
      return;
    }
    const known = this.events.get(id);
    if (known === undefined) this.events.set(id, { id, event, data, times: 1, at: Date.now() });
    else known.times += 1;
    response.writeHead(204).end();
  }
}
