import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** The stand-in's response to a request: JSON, or whatever the function writes. */
export type Answering = { status?: number; headers?: Record<string, string>; json?: unknown } | Scripted;
type Scripted = (response: ServerResponse, asked: Asked) => void;

/** A server that replaces the service and gives the specified responses in turn. The last one is repeated. */
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

  /** Clears the recorded requests and sets new responses. */
  will(...answers: Answering[]): void {
    this.asked.length = 0;
    this.answers = answers;
  }

  #answer(response: ServerResponse, { status = 200, headers = {}, json = {} }: Exclude<Answering, Scripted>) {
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
    response.end(status === 204 ? undefined : JSON.stringify(json));
  }
}

/** Closes the connection without a response. */
export const hangUp: Answering = (response) => response.socket?.destroy();

/** Never responds. */
export const saysNothing: Answering = (response) => response.on('close', () => response.end());
