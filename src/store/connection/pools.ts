import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../../core/common/log.js';
import { DeadConnectionDetector } from './dead-connection-detector.js';
import { type SessionConfig, withSettings } from './session-settings.js';

const RETRY_PAUSE_MS = 250;

/** Lets the kernel find an idle connection that was cut silently. */
export const keptAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

/** How a pool opens its connections. */
export type PoolOptions = pg.PoolConfig & SessionConfig;

/** A pool that logs and replaces lost connections, including silently lost ones. A lost connection never ends the process. */
export function createPool(config: PoolOptions, log: Log, silenceMs?: number): pg.Pool {
  return guard(
    new pg.Pool(withSettings({ ...keptAlive, ...config })),
    new DeadConnectionDetector(serverOf(config), log, silenceMs),
    log,
  );
}

/** A pool for the queue library, which retries at once when a connection fails. */
export function createPatientPool(config: PoolOptions, log: Log): pg.Pool {
  return guard(
    new PatientPool(withSettings({ ...keptAlive, ...config })),
    new DeadConnectionDetector(serverOf(config), log),
    log,
  );
}

/** How to connect to the same server as the same user, without another role. */
function serverOf({ settings: _, ...connection }: PoolOptions): pg.ClientConfig & SessionConfig {
  return connection;
}

function guard(pool: pg.Pool, detector: DeadConnectionDetector, log: Log): pg.Pool {
  // The queue library adds listeners for each of its workers.
  pool.setMaxListeners(0);
  pool.on('error', (err) => log.warn({ err: err.message }, 'database.connection_lost'));
  // A pool handles errors of its idle clients only. The `error` event of a client in use would end the process.
  pool.on('connect', (client) => {
    client.setMaxListeners(0);
    client.on('error', () => undefined);
    detector.watch(client);
  });
  return pool;
}

type ConnectCallback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: Error | boolean) => void,
) => void;

/**
 * Rejects a failed connection after a pause, and always with ECONNREFUSED.
 *
 * BullMQ waits and retries only for ECONNREFUSED. For every other error, such as a missing socket file or a server that is
 * starting up, its worker would retry in a busy loop.
 */
class PatientPool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | undefined {
    const attempt = super.connect().catch(async (cause: Error) => {
      await sleep(RETRY_PAUSE_MS);
      throw Object.assign(new Error(`The database is away: ${cause.message}`, { cause }), {
        code: 'ECONNREFUSED',
      });
    });
    if (!callback) return attempt;
    attempt.then(
      (client) => callback(undefined, client, (release) => client.release(release)),
      (error: Error) => callback(error, undefined, () => undefined),
    );
    return undefined;
  }
}
