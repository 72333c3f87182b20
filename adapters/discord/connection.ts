import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  Encoding,
  type FetchingStrategyOptions,
  type SessionInfo,
  WebSocketShard,
  type WebSocketShardDestroyOptions,
  WebSocketShardDestroyRecovery,
  WebSocketShardStatus,
} from '@discordjs/ws';
import type { GatewayIntentBits } from 'discord-api-types/v10';

/** Close codes that end neither side's memory of the session are those other than 1000 and 1001. */
const CLOSE_KEEPING_SESSION = 4200;
const CLOSE_WITHIN_MS = 1_000;

/** How a connection ended. */
export interface Ending {
  /** Gateway close code, when the gateway closed it. */
  readonly code?: number;
  /** Whether Discord said that the session can't be resumed. */
  readonly sessionLost: boolean;
  readonly reason: string;
}

export interface ConnectionOptions {
  readonly token: string;
  /** Where to dial: the resume address of a session or the general one. */
  readonly url: string;
  readonly intents: number;
  /** The session as far as it is committed, asked at each heartbeat and resume; absent: identify. */
  readonly session: () => SessionInfo | null;
  readonly onEnding: (ending: Ending) => void;
}

interface Socket {
  readonly readyState: number;
  on(event: 'error', listener: () => void): void;
  terminate(): void;
}
const CONNECTING = 0;

/**
 * One gateway connection from dialling to its end: the SDK's shard without its reconnecting. Left to itself it
 * redials every half second for ever, forgets the session when a redial finds no network, and can be neither stopped
 * while it waits nor while it dials.
 */
export class GatewayConnection extends WebSocketShard {
  readonly #onEnding: (ending: Ending) => void;
  #ended = false;

  constructor(options: ConnectionOptions) {
    super(
      {
        options: shardOptions(options),
        retrieveSessionInfo: options.session,
        // The journal keeps the session; what the SDK wants remembered isn't committed yet.
        updateSessionInfo: () => undefined,
        // Identifies are spaced before dialling.
        waitForIdentify: async () => undefined,
      },
      0,
    );
    this.#onEnding = options.onEnding;
  }

  /** Dials. The outcome shows in the events and in `onEnding`; the SDK's own promise may stay open for ever. */
  open(): void {
    this.connect().catch(() => undefined);
  }

  /** Every way in which the SDK ends or renews a connection comes through here; this one only ends it. */
  override async destroy(options: WebSocketShardDestroyOptions = {}): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    // The SDK creates its socket a moment after `connect`, without looking whether it is still wanted.
    if (this.status === WebSocketShardStatus.Idle) await nextTurn();
    const socket = this.#socket();
    // Without a listener the error of a socket that is cut while dialling would end the process.
    socket?.on('error', () => undefined);
    if (socket?.readyState === CONNECTING) socket.terminate();
    const cut = setTimeout(() => socket?.terminate(), CLOSE_WITHIN_MS);
    const { code, reason } = options;
    await super.destroy({ code: CLOSE_KEEPING_SESSION, ...(reason === undefined ? {} : { reason }) });
    clearTimeout(cut);
    this.#onEnding({
      ...(code === undefined ? {} : { code }),
      sessionLost: losesSession(options),
      reason: reason ?? (code === undefined ? 'closed' : `closed with code ${code}`),
    });
  }

  /** The SDK offers no way to cut a socket that doesn't answer. */
  #socket(): Socket | undefined {
    return Reflect.get(this, 'connection') ?? undefined;
  }
}

/**
 * The SDK gives up the session also when the gateway couldn't be reached (1006) or was slow (1000). Trying to resume
 * then costs nothing: Discord answers Invalid Session if it is gone.
 */
function losesSession({ code, recover }: WebSocketShardDestroyOptions): boolean {
  return recover === WebSocketShardDestroyRecovery.Reconnect && code !== 1006 && code !== 1000;
}

function shardOptions({ token, url, intents }: ConnectionOptions): FetchingStrategyOptions {
  const limit = { total: 0, remaining: 0, reset_after: 0, max_concurrency: 1 };
  return {
    token,
    gatewayInformation: { url, shards: 1, session_start_limit: limit },
    shardCount: 1,
    intents: intents as GatewayIntentBits,
    version: '10',
    encoding: Encoding.JSON,
    compression: null,
    handshakeTimeout: 10_000,
    helloTimeout: 15_000,
    readyTimeout: 15_000,
    largeThreshold: null,
    initialPresence: null,
    identifyProperties: { browser: 'trunkline', device: 'trunkline', os: process.platform },
  };
}
