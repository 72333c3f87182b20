import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { APP_ID } from './workspace.js';

const PATH = '/link/';
/** docs.slack.dev/apis/events-api/using-socket-mode#connections */
const MAX_SOCKETS = 10;
const PING_MS = 5_000;

interface Unacknowledged {
  readonly frame: string;
  /** The socket to which the frame was last sent. */
  socket?: WebSocket | undefined;
}

/** Socket Mode on the port of the Web API: hello, envelopes, acknowledgements, redelivery, disconnect and pings. */
export class SocketMode {
  readonly #server = new WebSocketServer({ noServer: true, autoPong: false });
  readonly #tickets = new Set<string>();
  readonly #unacknowledged = new Map<string, Unacknowledged>();
  readonly #pings: NodeJS.Timeout;
  /** While set, sockets stay open but send nothing, as after a network failure. */
  frozen = false;
  /** Whether a socket was ever opened. After that, events wait for a socket. */
  inUse = false;
  /** Number of answered pings. */
  pings = 0;

  constructor(http: Server) {
    http.on('upgrade', (request, socket, head) => {
      const url = new URL(request.url ?? '/', 'http://simulator');
      if (url.pathname !== PATH || !this.#tickets.delete(url.searchParams.get('ticket') ?? '')) {
        socket.destroy();
        return;
      }
      this.#server.handleUpgrade(request, socket, head, (client) => this.#accept(client));
    });
    this.#pings = setInterval(() => this.#ping(), PING_MS);
    this.#pings.unref();
  }

  get connections(): number {
    return this.#server.clients.size;
  }

  get waiting(): number {
    return this.#unacknowledged.size;
  }

  /** Returns a path that is valid for one connection. */
  ticket(): string {
    const ticket = randomUUID();
    this.#tickets.add(ticket);
    return `${PATH}?ticket=${ticket}`;
  }

  send(payload: object, type = 'events_api'): void {
    const id = randomUUID();
    const envelope = { envelope_id: id, type, payload, accepts_response_payload: false };
    const waiting: Unacknowledged = { frame: JSON.stringify(envelope) };
    this.#unacknowledged.set(id, waiting);
    this.#deliver(waiting);
  }

  #deliver(waiting: Unacknowledged): void {
    const [socket] = this.#open();
    waiting.socket = socket;
    if (!this.frozen) socket?.send(waiting.frame);
  }

  /** Asks the client to reconnect with a new socket. */
  disconnect(reason: 'warning' | 'refresh_requested' | 'link_disabled'): void {
    for (const socket of this.#open())
      socket.send(JSON.stringify({ type: 'disconnect', reason, debug_info }));
  }

  /** Terminates the connections without a close frame, like a network failure. */
  cut(): void {
    for (const socket of this.#server.clients) socket.terminate();
  }

  stop(): void {
    clearInterval(this.#pings);
    this.cut();
    this.#server.close();
  }

  #accept(socket: WebSocket): void {
    this.inUse = true;
    socket.on('ping', (data) => {
      if (this.frozen) return;
      this.pings += 1;
      socket.pong(data);
    });
    socket.on('message', (data) => this.#acknowledge(data));
    socket.on('close', () => this.#redeliver(socket));
    if (this.#open().length > MAX_SOCKETS) {
      socket.send(JSON.stringify({ type: 'disconnect', reason: 'too_many_websockets', debug_info }));
      return;
    }
    const hello = {
      type: 'hello',
      num_connections: this.connections,
      debug_info,
      connection_info: { app_id: APP_ID },
    };
    socket.send(JSON.stringify(hello));
    for (const waiting of this.#unacknowledged.values()) {
      waiting.socket = socket;
      socket.send(waiting.frame);
    }
  }

  /** Sends the unacknowledged frames of a closed socket to another socket, or keeps them for the next one. */
  #redeliver(closed: WebSocket): void {
    for (const waiting of this.#unacknowledged.values())
      if (waiting.socket === closed) this.#deliver(waiting);
  }

  #acknowledge(data: RawData): void {
    const envelope_id = acknowledgedIn(data);
    if (envelope_id !== undefined && !this.frozen) this.#unacknowledged.delete(envelope_id);
  }

  #ping(): void {
    if (!this.frozen) for (const socket of this.#open()) socket.ping('Ping from simulator');
  }

  #open(): WebSocket[] {
    return [...this.#server.clients].filter((socket) => socket.readyState === socket.OPEN);
  }
}

const debug_info = { host: 'simulator', build_number: 1, approximate_connection_time: 18_060 };

/** The id of the acknowledged envelope. Undefined for other frames. */
function acknowledgedIn(data: RawData): string | undefined {
  try {
    return (JSON.parse(data.toString()) as { envelope_id?: string } | null)?.envelope_id;
  } catch {
    return undefined;
  }
}
