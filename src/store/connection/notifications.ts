import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, ClientConfig, Notification, Pool } from 'pg';
import type { Log } from '../../core/common/log.js';
import { connectClient } from './client.js';
import { keptAlive } from './pools.js';
import type { ProcessLiveness } from './process-liveness.js';
import type { SessionConfig } from './session-settings.js';

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5_000;
/** Interval of the heartbeat query, which detects a connection that was cut silently. */
const HEARTBEAT_MS = 15_000;
const CONNECT_LIMIT_MS = 5_000;
const HINT_MS = 10;
/** How long a caller waits for notifications that this process has not received yet. A slower connection counts as lost. */
const HEARD_LIMIT_MS = 500;

export interface NotificationsOptions {
  /** How to open the one connection that listens. */
  connection: ClientConfig & SessionConfig;
  /** Pool that sends notifications. */
  pool: Pool;
  log: Log;
  /** Held on the listening connection, which lasts as long as the process. */
  liveness?: ProcessLiveness;
}

/**
 * Messages between processes over LISTEN and NOTIFY.
 *
 * A notification is a hint, at most 8,000 bytes, and is lost while the connection is away: a caller that must not
 * miss anything re-reads its rows in `onReconnect`.
 */
export class Notifications {
  private readonly listeners = new Map<string, Set<(payload: string) => void>>();
  private readonly reconnectListeners = new Set<() => void>();
  private readonly stopping = new AbortController();
  private readonly hints = new Map<string, NodeJS.Timeout>();
  private client: Client | undefined;
  private heartbeat: NodeJS.Timeout | undefined;
  private reconnecting: Promise<void> = Promise.resolve();

  constructor(private readonly options: NotificationsOptions) {}

  /** Whether notifications arrive right now. */
  get listening(): boolean {
    return this.client !== undefined;
  }

  /** Opens the connection. A failure of this first connection is thrown. Later ones are repaired in the background. */
  async start(): Promise<void> {
    await this.connect();
    this.heartbeat = setInterval(() => void this.beat(), HEARTBEAT_MS).unref();
  }

  /**
   * Calls `listener` for each notification of the channel. Resolves once it is subscribed, with a function that unsubscribes it.
   */
  async listen(channel: string, listener: (payload: string) => void): Promise<() => void> {
    const statement = `LISTEN ${channelName(channel)}`;
    const group = this.listeners.get(channel) ?? new Set();
    this.listeners.set(channel, group.add(listener));
    const client = this.client;
    // When this fails, the next connection subscribes to every channel in the list.
    await client?.query(statement).catch(() => this.replace(client));
    return () => group.delete(listener);
  }

  /** Sends at once, outside of any transaction. */
  async notify(channel: string, payload: string): Promise<void> {
    await this.options.pool.query('SELECT pg_notify($1, $2)', [channelName(channel), payload]);
  }

  /**
   * Resolves when every notification that was sent before has reached its listeners here, or when that is not possible for now.
   */
  async heard(): Promise<void> {
    const limit = new AbortController();
    // The server delivers the connection's notifications before it answers.
    const asked = this.client?.query('SELECT 1').catch(() => undefined);
    const late = sleep(HEARD_LIMIT_MS, undefined, { signal: limit.signal }).catch(() => undefined);
    await Promise.race([asked, late]);
    limit.abort();
  }

  /** Sends an empty notification on a channel. Several hints within a moment are sent as one, and a hint may be lost. */
  hint(channel: string): void {
    if (this.hints.has(channel)) return;
    const timer = setTimeout(() => {
      this.hints.delete(channel);
      this.notify(channel, '').catch((err: unknown) =>
        this.options.log.debug({ err, channel }, 'notifications.hint_failed'),
      );
    }, HINT_MS).unref();
    this.hints.set(channel, timer);
  }

  /** Calls `listener` each time the connection was lost and restored, because notifications may have been missed. */
  onReconnect(listener: () => void): () => void {
    this.reconnectListeners.add(listener);
    return () => this.reconnectListeners.delete(listener);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    clearInterval(this.heartbeat);
    for (const timer of this.hints.values()) clearTimeout(timer);
    await this.reconnecting;
    await this.client?.end();
    this.client = undefined;
  }

  private async connect(): Promise<void> {
    const client = await connectClient({
      ...this.options.connection,
      ...keptAlive,
      connectionTimeoutMillis: CONNECT_LIMIT_MS,
    });
    client.on('notification', (message) => this.dispatch(message));
    const late = setTimeout(() => destroy(client), CONNECT_LIMIT_MS);
    try {
      await this.options.liveness?.attach(client);
      // The list may grow during the loop. Nothing is awaited between the end of the loop and the assignment of the client.
      for (const channel of this.listeners.keys()) await client.query(`LISTEN ${channel}`);
    } catch (err) {
      // A server that does not allow LISTEN, such as a replica, is retried without a limit.
      destroy(client);
      throw err;
    } finally {
      clearTimeout(late);
    }
    client.once('end', () => this.lost(client));
    this.client = client;
  }

  private dispatch({ channel, payload = '' }: Notification): void {
    for (const listener of this.listeners.get(channel) ?? []) this.call(() => listener(payload));
  }

  /** Closes a connection that fails. It may still be open, and would otherwise keep its locks and subscriptions. */
  private replace(client: Client): void {
    destroy(client);
    this.lost(client);
  }

  private lost(client: Client): void {
    if (this.client !== client) return;
    this.client = undefined;
    if (this.stopping.signal.aborted) return;
    this.options.log.warn({}, 'notifications.connection_lost');
    this.reconnecting = this.reconnect();
  }

  private async reconnect(): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS;
    while (!this.stopping.signal.aborted) {
      try {
        await this.connect();
        this.options.log.info({}, 'notifications.reconnected');
        for (const listener of this.reconnectListeners) this.call(listener);
        return;
      } catch {
        // The loss was logged once. The pause grows until the database is back.
        await sleep(pauseMs, undefined, { signal: this.stopping.signal }).catch(() => undefined);
        pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
      }
    }
  }

  private async beat(): Promise<void> {
    const client = this.client;
    if (!client) return;
    const late = setTimeout(() => destroy(client), CONNECT_LIMIT_MS);
    try {
      await client.query('SELECT 1');
    } catch (err) {
      this.options.log.debug({ err }, 'notifications.heartbeat_failed');
      this.replace(client);
    } finally {
      clearTimeout(late);
    }
  }

  private call(listener: () => void): void {
    try {
      listener();
    } catch (err) {
      this.options.log.error({ err }, 'notifications.listener_failed');
    }
  }
}

// A silently cut connection never answers a graceful end, so its socket is destroyed.
function destroy(client: Client): void {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}

/** Channel names are written into the LISTEN statement, which takes no parameters. */
function channelName(channel: string): string {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(channel)) throw new Error(`Not a channel name: ${channel}`);
  return channel;
}
