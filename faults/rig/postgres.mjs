import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { prepareQueueSchema } from '../../dist/src/queue/postgres-backend.js';
import { createPool } from '../../dist/src/store/connection/pools.js';
import { findBinaries } from '../../dist/src/store/embedded/binaries.js';
import { ensureApplicationDatabase, ensureCluster } from '../../dist/src/store/embedded/cluster.js';
import { chooseLaunchPrefix } from '../../dist/src/store/embedded/launch-prefix.js';
import { probeServer } from '../../dist/src/store/embedded/probe.js';
import { serverArguments } from '../../dist/src/store/embedded/settings.js';
import { makeSocketDirectory, removeShortDirectory } from '../../dist/src/store/embedded/socket-directory.js';
import { install } from '../../dist/src/store/install.js';
import { owned } from './owned.mjs';
import { Volume } from './volume.mjs';
import { sleep, until } from './waiting.mjs';

const READY_LIMIT_MS = 60_000;
/** Delay before a restart, as with a service manager. */
const RESTART_MS = 1_000;
/** The data is not secret, so the log may contain it. */
const SETTINGS = {
  max_connections: '300',
  log_error_verbosity: 'default',
  log_min_error_statement: 'error',
  log_lock_waits: 'on',
};
const TEMPLATE = 'trunkline_faults';
const nothing = () => undefined;
const silent = { debug: nothing, info: nothing, warn: nothing, error: nothing };

/** A PostgreSQL server of the rig, which faults stop, kill and start. Commits wait for the disk. */
export class Postgres {
  #line;
  #root;
  #log;
  #child;
  #count = 0;
  #kept;
  /** Folder of its socket. */
  host;
  /** Its own file system, if it has one. */
  volume;

  /**
   * Creates a cluster in `folder`, starts it, and creates the template of all databases. With `volumeMb` the cluster has its own
   * file system of that size. `bin` is the folder with the programs of another PostgreSQL.
   */
  static async create(folder, { volumeMb, settings = {}, bin } = {}) {
    const server = new Postgres();
    if (volumeMb !== undefined) server.volume = await Volume.create(join(folder, 'volume'), volumeMb);
    await server.#prepare(folder, settings, bin);
    await server.start();
    await ensureApplicationDatabase(server.admin());
    await server.#makeTemplate();
    return server;
  }

  async #prepare(folder, settings, bin) {
    const binaries = bin === undefined ? await findBinaries() : binariesIn(bin);
    this.#root = join(this.volume?.folder ?? folder, 'postgres');
    this.#log = join(folder, 'postgres.log');
    await mkdir(this.#root, { recursive: true, mode: 0o755 });
    await chmod(folder, 0o711);
    const prefix = await chooseLaunchPrefix(binaries.postgres, this.#root);
    await ensureCluster(this.#root, binaries, prefix);
    this.host = await makeSocketDirectory(this.#root, prefix.owner);
    this.#line = [
      ...prefix.command,
      binaries.postgres,
      ...serverArguments(join(this.#root, 'data'), this.host, { ...SETTINGS, ...settings }),
    ];
  }

  /** Number of starts. */
  starts = 0;

  /** The target of a gate. */
  get socket() {
    return { path: join(this.host, '.s.PGSQL.5432') };
  }

  admin(database = 'postgres') {
    return { host: this.host, user: 'postgres', database };
  }

  async start() {
    const [command, ...rest] = this.#line;
    // Deadlocks are logged here, with both statements.
    const log = await open(this.#log, 'a');
    const stdio = ['ignore', log.fd, log.fd];
    this.#child = owned(spawn(command, rest, { cwd: this.#root, detached: true, stdio }));
    await log.close();
    const ready = await until(
      async () => (this.#ended ? 'ended' : (await probeServer(this.host)) === 'accepting'),
      READY_LIMIT_MS,
    );
    if (ready !== true) throw new Error('The PostgreSQL server of the rig did not become ready.');
    this.starts += 1;
  }

  /** From now on, restarts the server when it ends by itself, as a service manager does. */
  keepUp() {
    this.#kept = this.#keepUp();
  }

  async #keepUp() {
    while (this.#child !== undefined) {
      await sleep(RESTART_MS);
      // It may end again at once while the disk is full.
      if (this.#child !== undefined && this.#ended) await this.start().catch(() => undefined);
    }
  }

  get #ended() {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** Fast shutdown: open transactions are rolled back, and commits are on disk. */
  async stop() {
    await this.#end('SIGINT');
  }

  /** SIGKILL of the postmaster. Its children end by themselves. The next start recovers from the WAL. */
  async kill() {
    await this.#end('SIGKILL');
    // The next server cannot start while a child of this one still has the shared memory.
    await until(async () => (await probeServer(this.host)) === 'absent', READY_LIMIT_MS);
  }

  async close() {
    await this.stop();
    this.#child = undefined;
    await this.#kept;
    await removeShortDirectory(this.#root);
    await this.volume?.close();
  }

  async #end(signal) {
    const child = this.#child;
    if (this.#ended) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  }

  /** Copies the template database. Resolves with the name of the copy. */
  async newDatabase() {
    this.#count += 1;
    const name = `fault_${process.pid}_${this.#count}`;
    await this.#asAdmin(`CREATE DATABASE ${name} OWNER trunkline TEMPLATE ${TEMPLATE} STRATEGY FILE_COPY`);
    return name;
  }

  async dropDatabase(name) {
    await this.#asAdmin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  }

  async #makeTemplate() {
    await this.#asAdmin(`CREATE DATABASE ${TEMPLATE} OWNER trunkline`);
    const pool = createPool({ host: this.host, user: 'trunkline', database: TEMPLATE, max: 2 }, silent);
    await install(pool, { log: silent, release: 'faults' });
    await prepareQueueSchema(pool);
    await pool.end();
  }

  async #asAdmin(statement) {
    const client = new pg.Client(this.admin());
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  }
}

/** The programs of a distribution, which may be older than the built-in locales (PostgreSQL 17). */
function binariesIn(bin) {
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres'), locale: ['--locale=C.UTF-8'] };
}
