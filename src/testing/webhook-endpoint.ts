import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that the endpoint received. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The public webhook address of the bridge. Passes each request of the platform to the adapter. */
export class WebhookEndpoint {
  handler: ((request: Request) => Promise<Response>) | undefined;
  /** While true, requests get a 503, as in an outage. */
  closed = false;
  readonly requests: ReceivedRequest[] = [];
  readonly #server: Server;
  /** Requests wait for this promise, as during a restart. */
  #opening: Promise<void> = Promise.resolve();
  #open: () => void = () => undefined;

  constructor() {
    this.#server = createServer(async (request, response) => {
      const known = await readRequest(request);
      this.requests.push(known);
      await this.#opening;
      const answer = await this.#answer(known);
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      response.end(Buffer.from(await answer.arrayBuffer()));
    });
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hooks/conformance/1`;
  }

  async stop(): Promise<void> {
    this.#open();
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  /** Closes open connections. Later requests wait until `reopen`. */
  hold(): void {
    this.#opening = new Promise((resolve) => {
      this.#open = resolve;
    });
    this.#server.closeAllConnections();
  }

  reopen(): void {
    this.#open();
  }

  async #answer(known: ReceivedRequest): Promise<Response> {
    if (this.closed || this.handler === undefined) return new Response(null, { status: 503 });
    return this.handler(requestOf(known));
  }
}

/** The request as behind a proxy: the host differs from the public one, and adapters must not use it. */
export function requestOf({ method, path, headers, body }: ReceivedRequest): Request {
  const content = method === 'GET' || method === 'HEAD' ? {} : { body: new Uint8Array(body) };
  return new Request(new URL(path, 'http://internal:8080'), { method, headers, ...content });
}

async function readRequest(request: IncomingMessage): Promise<ReceivedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const hop = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'expect', 'host']);
  const headers = Object.entries(request.headers).filter(([name]) => !hop.has(name));
  return {
    method: request.method ?? 'GET',
    path: request.url ?? '/',
    headers: Object.fromEntries(headers.map(([name, value]) => [name, String(value)])),
    body: Buffer.concat(chunks),
  };
}
