import type { Pool } from 'pg';
import { clock } from '../../contract/clock.js';
import type { Log } from '../../core/common/log.js';
import { embeddedLocation } from '../embedded/location.js';
import { findRunningEmbedded, startEmbeddedPostgres } from '../embedded/start.js';
import type { DatabaseLocation } from '../maintenance/installation.js';
import { attributeStatements } from './attributed.js';
import { DatabaseClock } from './database-clock.js';
import { NewConnections } from './new-connections.js';
import { createPatientPool, createPool, type PoolOptions } from './pools.js';
import { PROCESS_ID } from './process-id.js';
import { CONNECT_LIMIT_MS, reachServer, type ServerConnection } from './server.js';
import type { SessionSettings } from './session-settings.js';
import { memberRole } from './workspace-reads.js';

const POOL_SIZE = 16;
const QUEUE_POOL_SIZE = 10;
const READER_POOL_SIZE = 8;
/** One connection runs LISTEN. */
const LISTENERS = 1;
/** Time limit for a lock. The statement is retried later, because a request and a connection of the pool would wait with it. */
const LOCK_LIMIT_MS = 10_000;
/** Time limit for the statement of a list, so that no list keeps a connection for longer. */
const READ_LIMIT_MS = 30_000;
/** After this time, a process that is suspended in a transaction loses its locks. */
const IDLE_TRANSACTION_LIMIT_MS = 60_000;
/**
 * Idle connections are kept for a long time, because a new connection must make all plans again, which takes longer than many
 * calls.
 */
const IDLE_LIMIT_MS = 600_000;

const mainSettings: SessionSettings = {
  // Attempts record this id.
  'trunkline.process': PROCESS_ID,
  synchronous_commit: 'on',
  // Statements read small groups of rows. With the default, which assumes rotating disks, the planner would read whole tables for
  // them.
  random_page_cost: '1.1',
  lock_timeout: String(LOCK_LIMIT_MS),
  idle_in_transaction_session_timeout: String(IDLE_TRANSACTION_LIMIT_MS),
};

const readerSettings: SessionSettings = {
  ...mainSettings,
  role: memberRole,
  default_transaction_read_only: 'on',
  statement_timeout: String(READ_LIMIT_MS),
};

// A power loss may lose the last moments of the queue. Its jobs only point at rows, and a sweeper finds rows without a job.
const queueSettings: SessionSettings = { search_path: 'bullmq,public', synchronous_commit: 'off' };

/** The name of the sessions of services, and of most commands. */
export const SERVICE_NAME = 'trunkline';

export interface DatabaseOptions {
  /** `postgres://…`; absent: the embedded server in `dataDir`. */
  databaseUrl?: string | undefined;
  dataDir: string;
  log: Log;
  /** Use the embedded server of another running process instead of refusing. For commands of the command line. */
  attach?: boolean;
  /** The name of its sessions in the server. A command has a name of its own if it must tell its sessions from those of services. */
  applicationName?: string;
}

/** Connections of one pool. */
interface PoolLoad {
  readonly pool: 'main' | 'queue' | 'reader';
  readonly busy: number;
  readonly idle: number;
  /** Statements that wait for a connection. */
  readonly waiting: number;
}

/** The open database. */
export interface Database {
  /** Connections of the application. A COMMIT on them is durable. */
  pool: Pool;
  /** What this process knows about the location of the database. */
  location: DatabaseLocation;
  /** How to open a connection outside of the pool, for LISTEN. */
  connection: ServerConnection;
  /** Raises when the server refuses new connections, although it may still answer on open ones. */
  checkNewConnections(): Promise<void>;
  /** Opens the queue's own pool, with one additional connection for each of `listeners`. The caller ends it. */
  openQueuePool(listeners: number): Pool;
  /** Opens a pool whose connections read as the role that sees one workspace. The caller ends it. */
  openReaderPool(): Pool;
  /** How busy the connections of each pool are. */
  poolLoads(): readonly PoolLoad[];
  /** Ends the pool and then the embedded server, if this process started it. */
  stop(): Promise<void>;
}

interface Server {
  connection: ServerConnection;
  /** Facts about its location in addition to what the server reports. */
  location: DatabaseLocation;
  stop(): Promise<void>;
}

/**
 * Opens the database at DATABASE_URL, or starts the embedded one.
 *
 * Throws DatabaseUnreachableError, DatabaseInUseError or EmbeddedDatabaseError. Each message is one sentence for the operator and
 * contains no password.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { connection, location, stop } = await findServer(options);
  const application_name = options.applicationName ?? SERVICE_NAME;
  const config = (settings: SessionSettings, max: number): PoolOptions => ({
    ...connection,
    application_name,
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    idleTimeoutMillis: IDLE_LIMIT_MS,
    settings,
    max,
  });
  const pools = new Map<PoolLoad['pool'], Pool>();
  const kept = (name: PoolLoad['pool'], made: Pool): Pool => {
    pools.set(name, made);
    return made;
  };
  const pool = kept('main', attributeStatements(createPool(config(mainSettings, POOL_SIZE), options.log)));
  const follower = new DatabaseClock(pool, clock);
  await follower.start();
  const session = { ...connection, application_name };
  const newConnections = new NewConnections(session);
  return {
    pool,
    location,
    connection: session,
    checkNewConnections: () => newConnections.check(),
    openQueuePool: (listeners) =>
      kept('queue', createPatientPool(config(queueSettings, QUEUE_POOL_SIZE + listeners), options.log)),
    openReaderPool: () => {
      const reading = config(readerSettings, READER_POOL_SIZE);
      return kept('reader', createPool({ ...reading, pipeline: true } as PoolOptions, options.log));
    },
    poolLoads: () => [...pools].map(([name, each]) => loadOf(name, each)),
    stop: async () => {
      follower.stop();
      await pool.end();
      await stop();
    },
  };
}

/** Maximum number of connections that a process opens. `queueListeners`: absent when the queue is not in the database. */
export function maxConnections(queueListeners: number | undefined): number {
  const queue = queueListeners === undefined ? 0 : QUEUE_POOL_SIZE + queueListeners;
  return LISTENERS + POOL_SIZE + READER_POOL_SIZE + queue;
}

function loadOf(pool: PoolLoad['pool'], { totalCount, idleCount, waitingCount }: Pool): PoolLoad {
  return { pool, busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
}

async function findServer(options: DatabaseOptions): Promise<Server> {
  const { databaseUrl, dataDir, log, attach } = options;
  const notOurs = async () => undefined;
  if (databaseUrl !== undefined) {
    return { connection: await reachServer(databaseUrl, log), location: {}, stop: notOurs };
  }
  const running = attach ? await findRunningEmbedded(dataDir) : undefined;
  const server = running
    ? { connection: running, stop: notOurs }
    : await startEmbeddedPostgres({ dataDir, log });
  return {
    connection: server.connection,
    location: await embeddedLocation(dataDir),
    stop: () => server.stop(),
  };
}
