import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Adapter } from '../../src/contract/index.js';

/** A public address for adapter tests. Passes every request to `adapter.handle` and returns its response. */
export class WebhookServer {
  adapter: Adapter | undefined;
  readonly #server: Server;

  constructor() {
    this.#server = createServer(async (request, response) => {
      const answer = await this.#handle(request);
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      response.end(Buffer.from(await answer.arrayBuffer()));
    });
  }

  /** Resolves with the address for the platform. */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hooks/test/1`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #handle(request: IncomingMessage): Promise<Response> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    // Behind a proxy the host differs from the public one, so adapters must not use it.
    const url = new URL(request.url ?? '/', 'http://internal:8080');
    const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]);
    const body = request.method === 'GET' ? null : Buffer.concat(chunks);
    const asked = new Request(url, { method: request.method ?? 'GET', headers, body });
    return (await this.adapter?.handle?.(asked)) ?? new Response(null, { status: 404 });
  }
}
