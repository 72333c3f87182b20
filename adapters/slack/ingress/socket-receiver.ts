import { setTimeout as sleep } from 'node:timers/promises';
import type { App, Receiver } from '@slack/bolt';
import { type AdapterHost, clock, type HealthReport, PlatformError } from '../../../src/contract/index.js';
import { ofAppToken } from '../client/app-token.js';
import type { Scopes } from '../client/scopes.js';
import type { Intake } from './intake.js';
import { type SocketEnvelope, type SocketOptions, SocketSession } from './socket-session.js';

/** Waits before consecutive reconnections. Slack renews sockets routinely, so the first reconnection is immediate. */
const RECONNECT_WAITS_MS = [0, 1_000, 2_000, 5_000, 10_000, 30_000];
/** Slack repeats events without a socket for some minutes, so a renewed socket misses nothing. */
const GAP_MS = 10_000;
/** A socket that was open for this time counts as healthy. */
const STABLE_MS = 10_000;

export interface SocketReceiverOptions extends Omit<SocketOptions, 'onEnvelope'> {
  readonly intake: Intake;
  /** The scopes of the bot token. */
  readonly scopes: Scopes;
  /** Called when a socket opened after a time without one. */
  readonly onGap: (since: string) => void;
}

/**
 * Bolt's receiver for Socket Mode. It keeps one socket at a time and acknowledges an envelope only after it is stored.
 */
export class SocketReceiver implements Receiver {
  readonly #options: SocketReceiverOptions;
  readonly #host: AdapterHost;
  #app: App | undefined;
  #session: SocketSession | undefined;
  #starting: Promise<void> | undefined;
  #stopping = new AbortController();
  #lostAt: number | undefined;

  constructor(options: SocketReceiverOptions) {
    this.#options = options;
    this.#host = options.host;
  }

  /** Whether events can arrive. */
  get isOpen(): boolean {
    return this.#starting !== undefined && this.#lostAt === undefined;
  }

  init(app: App): void {
    this.#app = app;
  }

  /** Resolves when the socket is open. Throws PlatformError if the first attempt fails. */
  start(): Promise<void> {
    this.#starting ??= this.#begin();
    return this.#starting;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#starting = undefined;
    await this.#session?.close();
  }

  async #begin(): Promise<void> {
    this.#stopping = new AbortController();
    try {
      const session = await this.#open();
      void this.#supervise(session, this.#stopping.signal);
    } catch (error) {
      this.#starting = undefined;
      throw error;
    }
  }

  async #open(): Promise<SocketSession> {
    const session = new SocketSession({
      ...this.#options,
      onEnvelope: (envelope) => void this.#take(envelope),
    });
    this.#session = session;
    try {
      await session.open();
      return session;
    } catch (error) {
      await session.close();
      throw ofAppToken(error);
    }
  }

  /** Keeps a socket open until it is stopped or the token is invalid. The old socket is always closed first. */
  async #supervise(first: SocketSession, stopping: AbortSignal): Promise<void> {
    let session: SocketSession | undefined = first;
    let openedAt = clock.now();
    let failures = 0;
    while (!stopping.aborted) {
      if (session !== undefined) {
        await session.closed;
        this.#lostAt ??= clock.now();
      }
      if (session !== undefined && clock.now() - openedAt >= STABLE_MS) failures = 0;
      await pause(RECONNECT_WAITS_MS[failures] ?? 30_000, stopping);
      failures += 1;
      if (stopping.aborted) return;
      const outcome = await this.#reopen(stopping);
      if (outcome === 'ended') return;
      session = outcome;
      openedAt = clock.now();
      if (session !== undefined) this.#reopened();
    }
  }

  #reopened(): void {
    const lostAt = this.#lostAt;
    this.#lostAt = undefined;
    if (lostAt !== undefined && clock.now() - lostAt >= GAP_MS)
      this.#options.onGap(new Date(lostAt).toISOString());
  }

  async #reopen(stopping: AbortSignal): Promise<SocketSession | 'ended' | undefined> {
    try {
      const session = await this.#open();
      if (stopping.aborted) await session.close();
      else this.#host.health(this.#options.scopes.healthy('Connected to Slack by Socket Mode.'));
      return session;
    } catch (error) {
      if (stopping.aborted || !(error instanceof PlatformError)) return 'ended';
      this.#host.health(healthOf(error));
      if (error.problem.kind === 'rate_limited') await pause(error.problem.retryAfterMs, stopping);
      // An invalid token stays invalid. Any other failure may pass.
      return error.problem.kind === 'unauthorized' ? 'ended' : undefined;
    }
  }

  /** An envelope that could not be stored is not acknowledged, so Slack sends it again. */
  async #take({ body, ack }: SocketEnvelope): Promise<void> {
    if (this.#app === undefined) return;
    try {
      await this.#options.intake.take(body, this.#app);
      await ack();
    } catch (error) {
      this.#host.log.warn('event.unacknowledged', {
        error: error instanceof Error ? error.message : 'unknown',
      });
    }
  }
}

function healthOf(error: PlatformError): HealthReport {
  const { kind } = error.problem;
  const codes = {
    unauthorized: 'bad_credentials',
    misconfigured: 'misconfigured',
    rate_limited: 'rate_limited',
  } as const;
  const code = kind in codes ? codes[kind as keyof typeof codes] : 'transient';
  return { code, message: error.message, ...(error.fix === undefined ? {} : { fix: error.fix }) };
}

async function pause(ms: number, stopping: AbortSignal): Promise<void> {
  // An aborted pause ends normally. The caller checks the signal.
  await sleep(ms, undefined, { signal: stopping }).catch(() => undefined);
}
