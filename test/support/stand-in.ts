import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What the stand-in does with a request: an answer as JSON, or whatever the function writes. */
export type Answering = { status?: number; headers?: Record<string, string>; json?: unknown } | Scripted;
type Scripted = (response: ServerResponse, asked: Asked) => void;

/** A server in place of the service, which answers request after request as it is told. The last answer is repeated. */
export class StandIn {
  readonly asked: Asked[] = [];
  answers: Answering[] = [];
  readonly #server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const asked = { method, url, headers, body: Buffer.concat(chunks).toString('utf8') };
    this.asked.push(asked);
    const [first] = this.answers;
    const answer = this.answers.length > 1 ? this.answers.shift() : first;
    if (typeof answer === 'function') answer(response, asked);
    else this.#answer(response, answer ?? {});
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  /** Forgets what was asked and answers anew. */
  will(...answers: Answering[]): void {
    this.asked.length = 0;
    this.answers = answers;
  }

  #answer(response: ServerResponse, { status = 200, headers = {}, json = {} }: Exclude<Answering, Scripted>) {
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
    response.end(status === 204 ? undefined : JSON.stringify(json));
  }
}

/** Ends the connection without an answer. */
export const hangUp: Answering = (response) => response.socket?.destroy();

/** Never answers. */
export const saysNothing: Answering = (response) => response.on('close', () => response.end());
