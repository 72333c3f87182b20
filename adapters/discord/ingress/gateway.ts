import type { LookupFunction } from 'node:net';
import type {
  APIGatewayBotInfo,
  GatewayDispatchPayload,
  GatewayReadyDispatchData,
} from 'discord-api-types/v10';
import { type AdapterHost, PlatformError } from '../../../src/contract/index.js';
import type { DiscordRest } from '../client/transport.js';
import type { Directory } from '../directory/directory.js';
import { EventStream } from './event-stream.js';
import type { GatewayCommitter } from './gateway-committer.js';
import { type ConnectionEnd, GatewayConnection, gatewayUrl } from './gateway-connection.js';
import { failureOfClose, failureOfError, type GatewayFailure, storageFailure } from './gateway-failure.js';
import { intentsOf } from './intents.js';
import { ReconnectPacing } from './reconnect-pacing.js';
import { waitAtMost } from './wait-at-most.js';

type GatewayInfo = Pick<APIGatewayBotInfo, 'url'> & Partial<APIGatewayBotInfo>;

/** Number of failed attempts at the session's own address before the general address is requested again. */
const RESUME_DIALS = 3;
const STOP_WITHIN_MS = 1_000;

/** Keeps one gateway connection open until it is stopped or Discord refuses it permanently. */
export class Gateway {
  readonly #rest: DiscordRest;
  readonly #token: string;
  readonly #host: AdapterHost;
  readonly #pacing = new ReconnectPacing();
  readonly #directory: Directory;
  #stop = new AbortController();
  #stream: EventStream;
  #running: Promise<void> | undefined;
  #started: Promise<void> | undefined;
  #stopping: Promise<void> | undefined;
  #connection: GatewayConnection | undefined;
  #resolveStarted: (failure?: PlatformError) => void = () => undefined;

  constructor(rest: DiscordRest, token: string, host: AdapterHost, directory: Directory) {
    this.#rest = rest;
    this.#token = token;
    this.#host = host;
    this.#directory = directory;
    this.#stream = this.#newStream();
  }

  get #journal(): GatewayCommitter {
    return this.#stream.journal;
  }

  #newStream(): EventStream {
    return new EventStream(this.#rest, this.#token, this.#host, this.#directory, this.#stop.signal);
  }

  /** Resolves when events can arrive or after `stop`. Rejects if Discord refuses the bot permanently. */
  start(): Promise<void> {
    if (this.#started !== undefined) return this.#started;
    // A running stop finishes first. Another one may follow.
    const started: Promise<void> =
      this.#stopping?.then(() => (this.#started === started ? this.#begin() : undefined)) ?? this.#begin();
    this.#started = started;
    return started;
  }

  #begin(): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      this.#resolveStarted = (failure) => (failure === undefined ? resolve() : reject(failure));
      this.#stop = new AbortController();
      this.#stream = this.#newStream();
      this.#host.health({ code: 'connecting', message: 'Connecting to the Discord gateway.' });
      this.#running = this.#run(this.#stop.signal);
    });
  }

  stop(): Promise<void> {
    this.#started = undefined;
    this.#stopping ??= this.#end().finally(() => {
      this.#stopping = undefined;
    });
    return this.#stopping;
  }

  async #end(): Promise<void> {
    this.#stop.abort();
    await Promise.all([this.#connection?.destroy('stopped'), this.#journal.stop(STOP_WITHIN_MS)]);
    await waitAtMost(STOP_WITHIN_MS, this.#running);
    this.#resolveStarted();
  }

  async #run(signal: AbortSignal): Promise<void> {
    let failure: GatewayFailure | undefined;
    try {
      await this.#stream.load();
      while (!signal.aborted && failure?.final === undefined) failure = await this.#once(signal);
    } catch (error) {
      this.#host.log.error('discord.gateway_failed', { error });
      failure = storageFailure;
      this.#report(failure);
    }
    if (signal.aborted) return;
    this.#resolveStarted(failure?.final);
    this.#started = undefined;
  }

  /** Runs one connection, from the wait for its permit to its end. */
  async #once(signal: AbortSignal): Promise<GatewayFailure | undefined> {
    await this.#pacing.awaitPermit(this.#journal.session !== undefined, signal);
    await this.#journal.awaitCapacity();
    if (signal.aborted) return undefined;
    let failure: GatewayFailure | undefined;
    try {
      const url = gatewayUrl(await this.#address(signal));
      const lookup = await this.#host.assertTarget(url);
      const intents = this.#journal.session === undefined ? await intentsOf(this.#rest, signal) : 0;
      if (signal.aborted) return undefined;
      failure = failureOfClose(await this.#connect({ url, lookup, intents }));
    } catch (error) {
      failure = failureOfError(error);
    }
    if (signal.aborted) return undefined;
    // The loss of a working connection is routine. Only a failed renewal is reported.
    if (failure.final !== undefined || !this.#pacing.wasUp) this.#report(failure);
    this.#pacing.failed(failure.retryAfterMs);
    return failure;
  }

  /** The address to dial. The response for the general address also contains the identifies that are left today. */
  async #address(signal: AbortSignal): Promise<string> {
    const session = this.#journal.session;
    const own = session?.resumeUrl ?? '';
    if (own !== '' && this.#pacing.failures < RESUME_DIALS) return own;
    this.#rest.rearm();
    const route = '/gateway/bot';
    const info = await this.#rest.call<GatewayInfo>({ method: 'GET', route, signal, write: false });
    // A self-hosted server may send only the address.
    const limit = info.session_start_limit;
    if (session === undefined && limit !== undefined && limit.remaining < 1) {
      throw new PlatformError(
        { kind: 'rate_limited', retryAfterMs: limit.reset_after, scope: 'account' },
        { dispatched: 'no', message: 'The bot has no gateway logins left for today.' },
      );
    }
    return info.url;
  }

  #connect(dial: { url: string; lookup: LookupFunction; intents: number }): Promise<ConnectionEnd> {
    return new Promise<ConnectionEnd>((resolve) => {
      if (this.#journal.session === undefined) this.#pacing.identified();
      this.#connection = new GatewayConnection({
        ...dial,
        token: this.#token,
        session: () => this.#journal.session,
        events: {
          ready: (ready) => this.#ready(ready),
          resumed: () => this.#established(),
          dispatch: (payload) => this.#dispatched(payload),
          unreadable: (error) => this.#host.log.warn('discord.frame_unreadable', { error }),
          ending: (ending) => {
            this.#connection = undefined;
            this.#settle(ending);
            resolve(ending);
          },
        },
      });
    });
  }

  #ready(ready: GatewayReadyDispatchData): void {
    this.#stream.open(ready);
    this.#established();
  }

  #established(): void {
    this.#pacing.succeeded();
    this.#host.health({ code: 'ok', message: 'Connected to the Discord gateway.' });
    this.#resolveStarted();
  }

  #dispatched(dispatch: GatewayDispatchPayload): void {
    this.#stream.take(dispatch);
    // The state in memory stays valid. The next resume replays later events.
    if (this.#journal.full) void this.#connection?.destroy('too many events wait to be stored');
  }

  #settle(ending: ConnectionEnd): void {
    this.#host.log.info('discord.gateway_closed', { ...ending });
    if (ending.sessionLost) this.#stream.lose(ending.reason);
  }

  #report({ report }: GatewayFailure): void {
    this.#host.health(report);
  }
}
