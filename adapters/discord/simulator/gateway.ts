import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { GatewayMessageCreateDispatchData, GatewayReadyDispatchData } from 'discord-api-types/v10';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import type { JsonValue } from '../../../src/contract/index.js';
import type { Fault, FaultDial, Ledger } from '../../../src/contract/simulation/index.js';
import { readJson } from './json.js';
import { membersChunk } from './members.js';
import type { DiscordState, StateEvent } from './state.js';

/** https://docs.discord.com/developers/topics/opcodes-and-status-codes#gateway-gateway-opcodes */
const op = {
  dispatch: 0,
  heartbeat: 1,
  identify: 2,
  presence: 3,
  voice: 4,
  resume: 6,
  reconnect: 7,
  requestMembers: 8,
  invalidSession: 9,
  hello: 10,
  heartbeatAck: 11,
} as const;
const MESSAGE_CONTENT = 1 << 15;
const GUILD_MEMBERS = 1 << 1;
/**
 * The intents that events require, in servers and in direct messages
 * (https://docs.discord.com/developers/events/gateway#list-of-intents).
 */
const needs: readonly (readonly [RegExp, number, number])[] = [
  [/^GUILD_MEMBER_/, GUILD_MEMBERS, 0],
  [/^(GUILD|CHANNEL|THREAD)_/, 1 << 0, 0],
  [/^MESSAGE_REACTION_/, 1 << 10, 1 << 13],
  [/^MESSAGE_/, 1 << 9, 1 << 12],
  [/^TYPING_/, 1 << 11, 1 << 14],
];
const IDENTIFIES_PER_DAY = 1000;
const REPLAYED = 10_000;

interface Session {
  readonly id: string;
  readonly intents: number;
  sequence: number;
  replay: { readonly s: number; readonly frame: string }[];
  socket: WebSocket | undefined;
}

export interface GatewayOptions {
  readonly state: DiscordState;
  readonly faults: FaultDial;
  readonly ledger: Ledger;
  readonly heartbeatMs: number;
  /** Whether the application may read message content. */
  readonly messageContent: boolean;
  /** Whether the application may receive membership events. */
  readonly members: boolean;
  readonly authorized: (header: string) => boolean;
  readonly url: () => string;
}

/** The gateway of the simulated Discord, with fault controls. */
export class SimulatedGateway {
  #silent = false;
  readonly #options: GatewayOptions;
  readonly #server = new WebSocketServer({ noServer: true });
  readonly #sessions = new Map<string, Session>();
  #identifies = 0;

  constructor(options: GatewayOptions) {
    this.#options = options;
    this.#server.on('connection', (socket: WebSocket) => this.#greet(socket));
  }

  attach(http: Server): void {
    http.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      const fault = this.#options.faults.strike('gateway.connect');
      this.#record('gateway.connect', null, fault);
      if (fault?.kind === 'status') socket.write(`HTTP/1.1 ${fault.status} Simulated\r\n\r\n`);
      if (fault !== undefined) socket.destroy();
      else
        this.#server.handleUpgrade(request, socket, head, (client) =>
          this.#server.emit('connection', client),
        );
    });
  }

  get identifiesLeft(): number {
    return Math.max(0, IDENTIFIES_PER_DAY - this.#identifies);
  }

  get connections(): number {
    return this.#server.clients.size;
  }

  /** Uses up identifies without a connection. */
  spendIdentifies(count: number): void {
    this.#identifies += count;
  }

  dispatch(event: StateEvent): void {
    for (const session of this.#sessions.values())
      if (isAskedFor(event, session.intents)) this.#send(session, event.t, this.#visible(event, session));
  }

  /** Sends any dispatch. */
  dispatchRaw(t: string, d: object): void {
    for (const session of this.#sessions.values()) this.#send(session, t, d);
  }

  /** Asks every client to reconnect and resume. */
  requestReconnect(): void {
    this.#everyone((socket) => send(socket, { op: op.reconnect, d: null }));
  }

  /**
   * While frozen, heartbeats are not acknowledged and nothing is dispatched. The end of the freeze cuts the open
   * connections, because a Discord connection never continues after events that it did not send.
   */
  freeze(frozen: boolean): void {
    this.#silent = frozen;
    if (!frozen) this.cut();
  }

  /** Drops every session, so that resumes are refused. */
  forgetSessions(): void {
    this.#sessions.clear();
  }

  close(code: number): void {
    this.#everyone((socket) => socket.close(code));
  }

  /** Terminates the connections without a close frame, like a network failure. */
  cut(): void {
    this.#everyone((socket) => socket.terminate());
  }

  stop(): void {
    this.cut();
    this.#server.close();
  }

  #everyone(act: (socket: WebSocket) => void): void {
    for (const socket of this.#server.clients) act(socket);
  }

  #greet(socket: WebSocket): void {
    socket.on('error', () => socket.terminate());
    socket.on('message', (data) => {
      const frame = frameIn(data);
      if (frame === undefined) socket.close(4002, 'Error while decoding payload.');
      else this.#receive(socket, frame);
    });
    socket.on('close', () => {
      for (const session of this.#sessions.values())
        if (session.socket === socket) session.socket = undefined;
    });
    send(socket, { op: op.hello, d: { heartbeat_interval: this.#options.heartbeatMs } });
  }

  #receive(socket: WebSocket, frame: Frame): void {
    if (frame.op === op.heartbeat) {
      this.#record('gateway.heartbeat', { sequence: frame.d }, undefined);
      if (!this.#silent) send(socket, { op: op.heartbeatAck });
    } else if (frame.op === op.identify || frame.op === op.resume) {
      const call = frame.op === op.identify ? 'gateway.identify' : 'gateway.resume';
      const { token, ...known } = Object(frame.d) as { readonly [key: string]: JsonValue };
      const fault = this.#options.faults.strike(call);
      this.#record(call, known, fault);
      if (fault !== undefined) this.#misbehave(socket, fault);
      // Some libraries send the REST prefix with their token, and Discord accepts it.
      else if (!this.#options.authorized(`Bot ${String(token).replace(/^Bot /, '')}`))
        socket.close(4004, 'Authentication failed.');
      else if (frame.op === op.identify) this.#identify(socket, known);
      else this.#resume(socket, String(known.session_id), Number(known.seq));
    } else if (frame.op === op.requestMembers) this.#tellMembers(socket, frame.d);
    else if (frame.op !== op.presence && frame.op !== op.voice) socket.close(4001, 'Unknown opcode.');
  }

  /** https://docs.discord.com/developers/events/gateway-events#request-guild-members */
  #tellMembers(socket: WebSocket, asked: JsonValue): void {
    const session = [...this.#sessions.values()].find((each) => each.socket === socket);
    if (session === undefined) socket.close(4003, 'Not authenticated.');
    else this.#send(session, 'GUILD_MEMBERS_CHUNK', membersChunk(this.#options.state, asked));
  }

  #misbehave(socket: WebSocket, fault: Fault): void {
    if (fault.kind === 'revoked') socket.close(4004, 'Authentication failed.');
    else if (fault.kind === 'rate_limited') socket.close(4008, 'Rate limited.');
    else socket.terminate();
  }

  #identify(socket: WebSocket, known: { readonly [key: string]: JsonValue }): void {
    const intents = Number(known.intents);
    const { messageContent, members } = this.#options;
    const tooMuch = (messageContent ? 0 : MESSAGE_CONTENT) | (members ? 0 : GUILD_MEMBERS);
    if ((intents & tooMuch) !== 0) {
      socket.close(4014, 'Disallowed intent(s).');
      return;
    }
    this.#identifies += 1;
    const session: Session = { id: randomUUID(), intents, sequence: 0, replay: [], socket };
    this.#sessions.set(session.id, session);
    const { state } = this.#options;
    const ready: GatewayReadyDispatchData = {
      v: 10,
      user: state.self,
      guilds: [{ id: state.guildId, unavailable: true }],
      session_id: session.id,
      resume_gateway_url: this.#options.url(),
      shard: Array.isArray(known.shard) ? (known.shard as [number, number]) : [0, 1],
      application: state.application,
    };
    // Libraries for user accounts read these lists. A bot's are empty.
    this.#send(session, 'READY', { ...ready, private_channels: [], relationships: [], user_settings: {} });
    this.#send(session, 'GUILD_CREATE', state.guild());
  }

  #resume(socket: WebSocket, sessionId: string, sequence: number): void {
    const session = this.#sessions.get(sessionId);
    const oldest = session?.replay[0]?.s ?? 1;
    if (session === undefined || sequence > session.sequence || sequence < oldest - 1) {
      send(socket, { op: op.invalidSession, d: false });
      return;
    }
    session.socket = socket;
    for (const { s, frame } of session.replay) if (s > sequence) socket.send(frame);
    this.#send(session, 'RESUMED', {});
  }

  #send(session: Session, t: string, d: object): void {
    session.sequence += 1;
    const frame = JSON.stringify({ op: op.dispatch, t, s: session.sequence, d });
    session.replay.push({ s: session.sequence, frame });
    if (session.replay.length > REPLAYED * 1.1) session.replay = session.replay.slice(-REPLAYED);
    if (!this.#silent) session.socket?.send(frame);
  }

  /** Without the intent, server messages of other people have no content. */
  #visible(event: StateEvent, session: Session): object {
    if (event.t !== 'MESSAGE_CREATE' && event.t !== 'MESSAGE_UPDATE') return event.d;
    const { guild_id, author } = event.d as GatewayMessageCreateDispatchData;
    if (guild_id === undefined) return event.d;
    const own = author.id === this.#options.state.self.id;
    return own || (session.intents & MESSAGE_CONTENT) !== 0 ? event.d : { ...event.d, content: '' };
  }

  #record(call: string, request: JsonValue, fault: Fault | undefined): void {
    const struck = fault === undefined ? {} : { fault: fault.kind };
    this.#options.ledger.record({ at: Date.now(), call, request, status: 101, committed: false, ...struck });
  }
}

function isAskedFor({ t, d }: StateEvent, intents: number): boolean {
  const need = needs.find(([pattern]) => pattern.test(t));
  if (need === undefined) return true;
  return (intents & ('guild_id' in d ? need[1] : need[2])) !== 0;
}

function send(socket: WebSocket, frame: object): void {
  socket.send(JSON.stringify(frame));
}

interface Frame {
  readonly op: number;
  readonly d: JsonValue;
}

/** Undefined if the data is not a JSON object. */
function frameIn(data: RawData): Frame | undefined {
  const frame: unknown = readJson(String(data));
  return typeof frame === 'object' && frame !== null ? (frame as Frame) : undefined;
}
