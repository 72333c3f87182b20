import type { LookupFunction } from 'node:net';
import type { GatewayDispatchPayload, GatewayReadyDispatchData } from 'discord-api-types/v10';
import { type RawData, WebSocket } from 'ws';
import { Heartbeat } from './heartbeat.js';

/** https://docs.discord.com/developers/topics/opcodes-and-status-codes#gateway-gateway-opcodes */
const op = {
  dispatch: 0,
  heartbeat: 1,
  identify: 2,
  resume: 6,
  reconnect: 7,
  invalidSession: 9,
  hello: 10,
  heartbeatAck: 11,
} as const;
/** Our own close codes other than 1000 and 1001 keep the session resumable. */
const CLOSE_KEEPING_SESSION = 4200;
/** Not authenticated, already authenticated, invalid sequence, rate limited: a new session is required. */
const closesEndingSession = new Set([4003, 4005, 4007, 4008]);
const CLOSE_WITHIN_MS = 1_000;
const HANDSHAKE_TIMEOUT_MS = 10_000;
const HELLO_TIMEOUT_MS = 15_000;
const READY_TIMEOUT_MS = 15_000;
const properties = { browser: 'trunkline', device: 'trunkline', os: process.platform };

/** The end of a connection. */
export interface ConnectionEnd {
  /** Gateway close code, if the gateway closed the connection. */
  readonly code?: number;
  /** Whether Discord declared the session not resumable. */
  readonly sessionLost: boolean;
  readonly reason: string;
}

interface GatewayEvents {
  ready(ready: GatewayReadyDispatchData): void;
  resumed(): void;
  /** Also called for READY and RESUMED, after their own event. */
  dispatch(payload: GatewayDispatchPayload): void;
  /** Called for a frame that could not be handled. The connection continues. */
  unreadable(error: unknown): void;
  /** Called once, as the last event. */
  ending(ending: ConnectionEnd): void;
}

export interface ConnectionOptions {
  readonly token: string;
  /** The checked address to dial. */
  readonly url: string;
  /** Resolves to the checked addresses of `url`. */
  readonly lookup: LookupFunction;
  readonly intents: number;
  /** The committed session, read at each heartbeat and resume. Absent: identify. */
  readonly session: () => { readonly sessionId: string; readonly sequence: number } | undefined;
  readonly events: GatewayEvents;
}

interface Frame {
  readonly op: number;
  readonly d?: unknown;
  readonly t?: string | null;
}

/** The gateway address with the version and encoding of this connection. */
export function gatewayUrl(address: string): string {
  const url = new URL(address);
  url.searchParams.set('v', '10');
  url.searchParams.set('encoding', 'json');
  return url.href;
}

/**
 * One gateway connection from dialling to its end (https://docs.discord.com/developers/events/gateway). It never
 * reconnects. @discordjs/ws is not used, because it resolves the host name itself and would reach addresses that were
 * not checked.
 */
export class GatewayConnection {
  readonly #options: ConnectionOptions;
  readonly #socket: WebSocket;
  readonly #heartbeat: Heartbeat;
  readonly #closed: Promise<void>;
  #deadline: NodeJS.Timeout | undefined;
  #ended = false;

  /** Starts to dial. */
  constructor(options: ConnectionOptions) {
    this.#options = options;
    const { url, lookup } = options;
    this.#socket = new WebSocket(url, { lookup, handshakeTimeout: HANDSHAKE_TIMEOUT_MS });
    this.#heartbeat = new Heartbeat({
      beat: () => this.#send(op.heartbeat, this.#options.session()?.sequence ?? null),
      dead: () => void this.destroy('Heartbeats were not acknowledged'),
    });
    // A socket error is followed by a close event.
    this.#socket.on('error', () => undefined);
    this.#socket.on('message', (data, isBinary) => this.#read(data, isBinary));
    this.#closed = new Promise((resolve) =>
      this.#socket.once('close', (code) => {
        this.#gone(code);
        resolve();
      }),
    );
    this.#expect('hello', HANDSHAKE_TIMEOUT_MS + HELLO_TIMEOUT_MS);
  }

  /** Closes the connection and keeps the session resumable. Resolves when the socket is closed. */
  destroy(reason: string): Promise<void> {
    return this.#end({ sessionLost: false, reason });
  }

  async #end(ending: ConnectionEnd): Promise<void> {
    if (this.#ended) return this.#closed;
    this.#ended = true;
    this.#heartbeat.stop();
    clearTimeout(this.#deadline);
    const cut = setTimeout(() => this.#socket.terminate(), CLOSE_WITHIN_MS);
    if (this.#socket.readyState === WebSocket.CONNECTING) this.#socket.terminate();
    else this.#socket.close(CLOSE_KEEPING_SESSION);
    await this.#closed;
    clearTimeout(cut);
    this.#options.events.ending(ending);
  }

  /** The gateway or the network closed the socket. */
  #gone(code: number): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#heartbeat.stop();
    clearTimeout(this.#deadline);
    const sessionLost = closesEndingSession.has(code);
    this.#options.events.ending({ code, sessionLost, reason: `closed with code ${code}` });
  }

  #expect(what: 'hello' | 'READY', withinMs: number): void {
    clearTimeout(this.#deadline);
    this.#deadline = setTimeout(() => void this.destroy(`${what} did not arrive in time`), withinMs);
  }

  #read(data: RawData, isBinary: boolean): void {
    if (this.#ended || isBinary) return;
    try {
      this.#handle(JSON.parse(data.toString()) as Frame);
    } catch (error) {
      this.#options.events.unreadable(error);
    }
  }

  #handle(frame: Frame): void {
    switch (frame.op) {
      case op.dispatch:
        return this.#dispatch(frame as GatewayDispatchPayload);
      case op.heartbeat:
        return this.#heartbeat.now();
      case op.heartbeatAck:
        return this.#heartbeat.acknowledged();
      case op.reconnect:
        return void this.destroy('Discord asked for a new connection');
      case op.invalidSession:
        return void this.#end({ sessionLost: frame.d !== true, reason: 'Invalid session' });
      case op.hello:
        return this.#greet(frame.d);
    }
  }

  #dispatch(payload: GatewayDispatchPayload): void {
    const { events } = this.#options;
    if (payload.t === 'READY' || payload.t === 'RESUMED') clearTimeout(this.#deadline);
    if (payload.t === 'READY') events.ready(payload.d);
    if (payload.t === 'RESUMED') events.resumed();
    events.dispatch(payload);
  }

  #greet(hello: unknown): void {
    const { heartbeat_interval: intervalMs } = Object(hello) as { readonly heartbeat_interval?: unknown };
    this.#heartbeat.start(Number(intervalMs));
    clearTimeout(this.#deadline);
    const { token, intents, session } = this.#options;
    const known = session();
    if (known !== undefined) {
      const { sessionId, sequence } = known;
      // A resume may replay events for a long time before RESUMED arrives.
      this.#send(op.resume, { token, session_id: sessionId, seq: sequence });
      return;
    }
    this.#send(op.identify, { token, properties, intents, compress: false, shard: [0, 1] });
    this.#expect('READY', READY_TIMEOUT_MS);
  }

  #send(code: number, d: unknown): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify({ op: code, d }));
  }
}
