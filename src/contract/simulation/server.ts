import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { JsonValue } from '../json.js';
import { type Fault, FaultDial } from './faults.js';
import { Ledger } from './ledger.js';
import { inShape } from './waits.js';

export interface SimulatedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

export interface SimulatedAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: JsonValue | Buffer;
  /** Whether the call changed the platform. */
  readonly committed?: boolean;
}

/** A recognized call that is not executed yet, so that a fault can occur before it. */
export interface SimulatedCall {
  readonly call: string;
  readonly chatId?: string;
  /** The data of the request that the ledger keeps. */
  readonly request: JsonValue;
  run(): SimulatedAnswer | Promise<SimulatedAnswer>;
}

/** Faults whose response has the format of the platform. */
export type ShapedFault = Extract<Fault, { kind: 'rate_limited' | 'refused' | 'revoked' }>;

export interface SimulatorServerOptions {
  readonly port?: number;
  /** Maps a request to its call. */
  readonly route: (request: SimulatedRequest) => SimulatedCall;
  /** The response of the platform for such a fault. */
  readonly faultAnswer: (fault: ShapedFault) => SimulatedAnswer;
}

/** The HTTP server of a simulator, with a ledger and faults around the routes of the platform. */
export class SimulatorServer {
  readonly ledger = new Ledger();
  readonly faults = new FaultDial();
  readonly http: Server;
  readonly #sockets = new Set<Socket>();
  readonly #options: SimulatorServerOptions;

  constructor(options: SimulatorServerOptions) {
    this.#options = options;
    this.http = createServer((request, response) => void this.#serve(request, response));
    this.http.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  /** Resolves with `http://127.0.0.1:<port>`. */
  async start(): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.http.once('error', reject);
      this.http.listen(this.#options.port ?? 0, '127.0.0.1', resolve);
    });
    return `http://127.0.0.1:${(this.http.address() as AddressInfo).port}`;
  }

  /** Closes every connection abruptly, like a failing network. The server continues to listen. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async stop(): Promise<void> {
    this.cut();
    if (this.http.listening) await new Promise<void>((resolve) => this.http.close(() => resolve()));
  }

  /** A request that the simulator cannot serve gets an error response and does not end the process. */
  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.#respond(request, response);
    } catch (error) {
      if (response.headersSent || request.socket.destroyed) request.socket.destroy();
      else send(response, broken(error), false);
    }
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = Date.now();
    const call = this.#options.route(await readRequest(request));
    const fault = this.faults.strike(call.call, call.chatId);
    const answer = await this.#answer(call, fault).catch(broken);
    this.ledger.record({
      at,
      call: call.call,
      ...(call.chatId === undefined ? {} : { chatId: call.chatId }),
      request: call.request,
      status: answer?.status ?? 0,
      committed: answer?.committed ?? false,
      ...(fault === undefined ? {} : { fault: fault.kind }),
    });
    if (answer === undefined || fault?.kind === 'drop_after') request.socket.destroy();
    else send(response, answer, fault?.kind === 'drop_during');
  }

  async #answer(call: SimulatedCall, fault: Fault | undefined): Promise<SimulatedAnswer | undefined> {
    switch (fault?.kind) {
      case 'drop_before':
        return undefined;
      case 'status': {
        const committed = fault.written === true && ((await call.run()).committed ?? false);
        return { status: fault.status, body: `simulated ${fault.status}`, committed };
      }
      case 'redirect':
        return { status: 302, headers: { location: fault.to }, body: null };
      case 'rate_limited':
        return inShape(this.#options.faultAnswer(fault), fault);
      case 'refused':
      case 'revoked':
        return this.#options.faultAnswer(fault);
      case 'delay':
        await new Promise((resolve) => setTimeout(resolve, fault.ms));
        return call.run();
      default:
        return call.run();
    }
  }
}

/** The response to a request that the simulator cannot parse. No platform returns it. */
function broken(error: unknown): SimulatedAnswer {
  const reason = error instanceof Error ? error.message : String(error);
  return { status: 500, body: { error: `The simulator cannot serve this request: ${reason}` } };
}

async function readRequest(request: IncomingMessage): Promise<SimulatedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const url = new URL(request.url ?? '/', 'http://simulator');
  return {
    method: request.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    headers: request.headers,
    body: Buffer.concat(chunks),
  };
}

function send(response: ServerResponse, answer: SimulatedAnswer, cut: boolean): void {
  const body = Buffer.isBuffer(answer.body) ? answer.body : Buffer.from(JSON.stringify(answer.body));
  response.writeHead(answer.status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
    ...answer.headers,
  });
  if (!cut) response.end(body);
  // The header and half of the body are sent before the connection closes.
  else response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.destroy());
}
