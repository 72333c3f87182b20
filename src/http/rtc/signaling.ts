import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Caller } from '../../core/access/caller.js';
import type { CallSignal, CallSockets } from '../../core/calls/ports.js';
import { type CallSeats, isTokenProtocol } from '../../core/calls/seats.js';
import { frameBytes, type SendSignal } from '../../core/calls/use-cases.js';
import type { Log } from '../../core/common/log.js';
import { timeNow } from '../../core/common/time.js';
import type { Presence } from '../../core/users/ports.js';
import { closeCodes, heartbeatSeconds, LiveSocket } from './live-socket.js';
import { SignalFeed } from './signal-feed.js';
import { takeUpgrade } from './upgrade.js';

const PROTOCOL = 'trunkline.rtc.v1';
const TICK_MS = 1_000;
/** Ticks between two heartbeats of this process. */
const BEAT_TICKS = 2;
/** Time for the client to close the connection as well. */
const CLOSING_MS = 1_000;
/** Maximum number of sockets of one key, token or session in this process. */
const MAX_SOCKETS = 200;

export interface SignalingOptions {
  readonly sockets: CallSockets;
  readonly seats: CallSeats;
  readonly signal: SendSignal;
  readonly presence: Presence;
  readonly log: Log;
  readonly now?: () => number;
}

export interface Admission {
  readonly caller: Caller;
  /** Whether the key or session of the handshake is still valid. */
  readonly isStillValid: () => Promise<boolean>;
}

/** The WebSockets of this process: opens them, sends them the frames of all processes, and closes them. */
export class Signaling {
  readonly #processId = randomUUID();
  readonly #live = new Map<string, Map<string, LiveSocket>>();
  readonly #server = new WebSocketServer({
    noServer: true,
    maxPayload: frameBytes,
    handleProtocols: selectProtocol,
  });
  readonly #feed: SignalFeed;
  readonly #now: () => number;
  #ticks = 0;
  #timer: NodeJS.Timeout | undefined;
  #checking = false;
  readonly #working = new Set<Promise<unknown>>();

  constructor(private readonly options: SignalingOptions) {
    this.#now = options.now ?? timeNow;
    this.#feed = new SignalFeed(options.sockets, (signal, late) => this.#deliver(signal, late), options.log);
  }

  start(): void {
    this.#timer = setInterval(() => this.#tick(), TICK_MS).unref();
  }

  /** Closes every socket. Resolves when the database has recorded that. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    for (const socket of this.#all()) socket.close(closeCodes.draining, 'draining');
    const endsAt = this.#now() + CLOSING_MS;
    while (this.#live.size > 0 && this.#now() < endsAt) await sleep(20);
    for (const socket of this.#all()) socket.terminate();
    this.#server.close();
    await Promise.all(this.#working);
  }

  /** Handles a notification about a frame that any process has committed. */
  hear(signalId: string): void {
    if (this.#live.size > 0) this.#feed.hear(signalId);
  }

  /** Called after a reconnect, because notifications may have been missed. */
  async catchUp(): Promise<void> {
    if (this.#live.size > 0) await this.#feed.catchUp();
    await this.#recheck();
  }

  /** The credentials of a key or of a user may have become invalid. */
  async credentialsChanged(id: string): Promise<void> {
    const seated = [...(this.#live.get(id)?.values() ?? [])].filter((socket) => socket.callId !== undefined);
    await Promise.all([this.#recheck(), ...seated.map((socket) => socket.recheck())]);
  }

  /** Takes over the connection of a request that passed every check. */
  accept(response: ServerResponse, admission: Admission): void {
    const upgrade = takeUpgrade(response);
    if (upgrade === undefined) throw new Error('Only a request for an upgrade can become a socket.');
    const headers = Object.entries(response.getHeaders());
    const announce = (lines: string[], request: IncomingMessage) => {
      if (request === upgrade.request)
        lines.push(...headers.map(([name, value]) => `${name}: ${String(value)}`));
    };
    this.#server.on('headers', announce);
    this.#server.handleUpgrade(upgrade.request, upgrade.socket, upgrade.head, (socket) =>
      this.#open(socket, admission),
    );
    this.#server.off('headers', announce);
  }

  #open(socket: WebSocket, { caller, isStillValid }: Admission): void {
    const { signal, log, seats } = this.options;
    const holds = caller.callId === undefined ? isStillValid : () => seats.holds(caller);
    if (this.#openedWith(caller) >= MAX_SOCKETS) {
      socket.close(closeCodes.tooMany, 'too many sockets of this credential');
      return;
    }
    const live = new LiveSocket(
      { socket, caller, signal, log, now: this.#now, isStillValid: holds },
      (opened) => this.#register(opened),
    );
    const who = { workspace_id: caller.workspaceId, credential_id: caller.credential.id, socket_id: live.id };
    log.info(who, 'rtc_socket.opened');
    socket.once('close', (code) => {
      log.info({ ...who, code }, 'rtc_socket.closed');
      this.#forget(live);
    });
    const own = this.#live.get(live.userId) ?? new Map<string, LiveSocket>();
    this.#live.set(live.userId, own.set(live.id, live));
  }

  #openedWith({ credential }: Caller): number {
    return this.#all().filter((live) => live.credentialId === credential.id).length;
  }

  async #register(live: LiveSocket): Promise<void> {
    await this.options.sockets.open(this.#processId, live);
    await this.options.presence.beat([live.userId]);
    live.send({ type: 'ready', user_id: live.userId, heartbeat_seconds: heartbeatSeconds });
  }

  #forget(live: LiveSocket): void {
    const own = this.#live.get(live.userId);
    own?.delete(live.id);
    if (own?.size === 0) this.#live.delete(live.userId);
    // Wait for the remaining work of the socket, including its registration.
    this.#work(live.settled.then(() => this.options.sockets.close([live.id])));
  }

  /** `late`: the frame may be older than a socket. Such a socket does not get it. */
  #deliver(signal: CallSignal, late: boolean): void {
    const sentAt = signal.createdAt.getTime();
    for (const live of signal.recipients.flatMap((id) => [...(this.#live.get(id)?.values() ?? [])])) {
      const concerned = live.callId === undefined || live.callId === signal.callId;
      if (!concerned || live.workspaceId !== signal.workspaceId) continue;
      if (!late || live.openedAt <= sentAt) live.send(signal.frame);
    }
  }

  #tick(): void {
    this.#ticks += 1;
    for (const socket of this.#all()) socket.beat();
    this.#feed.poll();
    if (!this.#checking) this.#work(this.#recheck());
    if (this.#ticks % BEAT_TICKS === 0) this.#work(this.#beat());
    if (this.#ticks % heartbeatSeconds === 0 && this.#live.size > 0) {
      this.#work(this.options.presence.beat([...this.#live.keys()]));
    }
  }

  async #beat(): Promise<void> {
    const { sockets } = this.options;
    const forgotten = await sockets.beat(this.#processId);
    if (forgotten) await Promise.all(this.#all().map((live) => sockets.open(this.#processId, live)));
  }

  /** Checks keys and sessions, because they also expire. A join token is needed only for joining. */
  async #recheck(): Promise<void> {
    this.#checking = true;
    try {
      const bound = this.#all().filter((socket) => socket.callId === undefined);
      await Promise.all(bound.map((socket) => socket.recheck()));
    } finally {
      this.#checking = false;
    }
  }

  #work(task: Promise<unknown>): void {
    const caught = task
      .catch((err: unknown) => this.options.log.warn({ err }, 'rtc.maintenance_failed'))
      .finally(() => this.#working.delete(caught));
    this.#working.add(caught);
  }

  #all(): LiveSocket[] {
    return [...this.#live.values()].flatMap((own) => [...own.values()]);
  }
}

/** Selects one of the offered protocols, because clients otherwise refuse the connection. */
function selectProtocol(offered: Set<string>): string | false {
  if (offered.has(PROTOCOL)) return PROTOCOL;
  return [...offered].find(isTokenProtocol) ?? false;
}
