import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientConfig, Pool, PoolConfig } from 'pg';
import { clock } from '../contract/clock.js';
import type { Log } from '../core/ports/log.js';
import { connectClient } from './client.js';
import { DatabaseClock } from './database-clock.js';
import { findRunningEmbedded, startEmbeddedPostgres } from './embedded/start.js';
import { DatabaseUnreachableError } from './errors.js';
import { createPatientPool, createPool } from './pools.js';
import { memberRole } from './workspace-reads.js';

const POOL_SIZE = 16;
const QUEUE_POOL_SIZE = 10;
const READER_POOL_SIZE = 8;
/** Whoever meets a lock that somebody holds for longer comes again: a request would wait, and a connection of the pool with it. */
const LOCK_LIMIT_MS = 10_000;
/** No list may keep a connection for longer. */
const READ_LIMIT_MS = 30_000;
const CONNECT_LIMIT_MS = 5_000;
/** A connection that is made anew has all its plans to make again, which takes longer than many calls; so few come and go. */
const IDLE_LIMIT_MS = 600_000;
/** How long a server that says it is starting up is waited for. */
const STARTUP_LIMIT_MS = 60_000;
const STARTUP_POLL_MS = 200;

export interface DatabaseOptions {
  /** `postgres://…`; absent is the embedded server in `dataDir`. */
  databaseUrl?: string | undefined;
  dataDir: string;
  log: Log;
  /** Use the embedded server of a process that runs already instead of refusing; for commands of the command line. */
  attach?: boolean;
}

/** Connections of one pool. */
export interface PoolLoad {
  readonly pool: 'main' | 'queue' | 'reader';
  readonly busy: number;
  readonly idle: number;
  /** Statements that wait for a connection. */
  readonly waiting: number;
}

/** The open database. */
export interface Database {
  /** Connections of the application; a COMMIT on them is on disk. */
  pool: Pool;
  /** How to open a connection outside of the pool, for LISTEN. */
  connection: ClientConfig;
  /** Opens the queue's own pool, with one connection for each of `listeners` on top; whoever opens it ends it. */
  openQueuePool(listeners: number): Pool;
  /** Opens a pool whose connections read as the role that sees one workspace; whoever opens it ends it. */
  openReaderPool(): Pool;
  /** How busy the connections of each pool are. */
  poolLoads(): readonly PoolLoad[];
  /** Ends the pool and then the embedded server, if this process started it. */
  stop(): Promise<void>;
}

/**
 * Opens the database at DATABASE_URL, or starts the embedded one.
 *
 * Throws DatabaseUnreachableError, DatabaseInUseError or EmbeddedDatabaseError, each with one sentence for
 * the operator that holds no password.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { connection, stop } = await findServer(options);
  const config = (settings: string, max: number): PoolConfig => ({
    ...connection,
    application_name: 'trunkline',
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    idleTimeoutMillis: IDLE_LIMIT_MS,
    options: settings,
    max,
  });
  // Work comes in small groups of rows; with the default for turning disks the planner would read whole tables for them.
  const settings = `-c synchronous_commit=on -c random_page_cost=1.1 -c lock_timeout=${LOCK_LIMIT_MS}`;
  const pools = new Map<PoolLoad['pool'], Pool>();
  const kept = (name: PoolLoad['pool'], made: Pool): Pool => {
    pools.set(name, made);
    return made;
  };
  const pool = kept('main', createPool(config(settings, POOL_SIZE), options.log));
  const follower = new DatabaseClock(pool, clock);
  await follower.start();
  // A power loss may forget the last moments of the queue: its jobs only point at rows, and a sweeper
  // finds rows without a job.
  const queueSettings = '-c search_path=bullmq,public -c synchronous_commit=off';
  return {
    pool,
    connection: { ...connection, application_name: 'trunkline' },
    openQueuePool: (listeners) =>
      kept('queue', createPatientPool(config(queueSettings, QUEUE_POOL_SIZE + listeners), options.log)),
    openReaderPool: () => {
      const reading = config(
        `${settings} -c role=${memberRole} -c default_transaction_read_only=on -c statement_timeout=${READ_LIMIT_MS}`,
        READER_POOL_SIZE,
      );
      return kept('reader', createPool({ ...reading, pipeline: true } as PoolConfig, options.log));
    },
    poolLoads: () => [...pools].map(([name, each]) => loadOf(name, each)),
    stop: async () => {
      follower.stop();
      await pool.end();
      await stop();
    },
  };
}

function loadOf(pool: PoolLoad['pool'], { totalCount, idleCount, waitingCount }: Pool): PoolLoad {
  return { pool, busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
}

interface Server {
  connection: ClientConfig;
  stop(): Promise<void>;
}

async function findServer(options: DatabaseOptions): Promise<Server> {
  const notOurs = async () => undefined;
  if (options.databaseUrl !== undefined) {
    await checkReachable(options.databaseUrl);
    return { connection: { connectionString: options.databaseUrl }, stop: notOurs };
  }
  const running = options.attach ? await findRunningEmbedded(options.dataDir) : undefined;
  if (running) return { connection: running, stop: notOurs };
  return startEmbeddedPostgres({ dataDir: options.dataDir, log: options.log });
}

async function checkReachable(databaseUrl: string): Promise<void> {
  const place = describePlace(databaseUrl);
  const deadline = Date.now() + STARTUP_LIMIT_MS;
  for (;;) {
    try {
      const client = await connectClient({
        connectionString: databaseUrl,
        connectionTimeoutMillis: CONNECT_LIMIT_MS,
      });
      await client.end();
      return;
    } catch (error) {
      const { code, message } = error as { code?: string; message: string };
      if (code !== '57P03' || Date.now() > deadline) {
        throw new DatabaseUnreachableError(explain(place, code, message));
      }
      await sleep(STARTUP_POLL_MS);
    }
  }
}

/** Host, port and database of an address, without its user and password. */
function describePlace(databaseUrl: string): string {
  const url = URL.canParse(databaseUrl) ? new URL(databaseUrl) : undefined;
  if (!url || !/^postgres(ql)?:$/.test(url.protocol)) {
    throw new DatabaseUnreachableError(
      'DATABASE_URL is not an address of the form postgres://user:password@host:port/database.',
    );
  }
  const host = url.host || url.searchParams.get('host') || 'localhost';
  return `${host}${url.pathname}`;
}

// The driver's own message is quoted only where it can hold nothing but an operating system error.
function explain(place: string, code: string | undefined, message: string): string {
  const at = `the database at ${place}`;
  if (code === '28P01' || code === '28000') {
    return `Refused by ${at}: wrong user or password, or not allowed. Correct DATABASE_URL.`;
  }
  if (code === '3D000')
    return `Refused by ${at}: the database does not exist. Create it, or correct DATABASE_URL.`;
  if (code === '53300') return `Refused by ${at}: it has no free connections. Raise its max_connections.`;
  const reason = code ?? (/timeout/i.test(message) ? 'no answer in time' : 'connection failed');
  return `Can't reach ${at} (${reason}). Start PostgreSQL there, or correct DATABASE_URL.`;
}
