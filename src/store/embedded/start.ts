import { mkdir, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { ClientConfig } from 'pg';
import type { Log } from '../../core/ports/log.js';
import { findBinaries } from './binaries.js';
import { findRunningServer, signOwnership, waitUntilFree } from './claim.js';
import { ADMIN_ROLE, APPLICATION_ROLE, ensureApplicationDatabase, ensureCluster } from './cluster.js';
import { chooseLaunchPrefix } from './launch-prefix.js';
import { unobtrusively } from './scheduling.js';
import { type Settings, serverArguments } from './settings.js';
import { makeSocketDirectory, removeShortDirectory } from './socket-directory.js';
import { Supervisor } from './supervisor.js';

export interface EmbeddedPostgresOptions {
  /** Folder of the installation; relative to the working directory. The server uses `postgres` inside it. */
  dataDir: string;
  log: Log;
  /** Server settings on top of ours, for tests that can do without durability. */
  settings?: Settings;
}

/** A running embedded server. */
export interface EmbeddedPostgres {
  /** How the application connects: an ordinary role that owns its database. */
  connection: ClientConfig;
  /** How its superuser connects. */
  adminConnection: ClientConfig;
  /** Fast shutdown; resolves when the server is gone. Close all pools first. */
  stop(): Promise<void>;
}

/**
 * Starts the PostgreSQL that npm installed, on `dataDir/postgres`, and creates the cluster at the first start.
 *
 * Call it from the main thread of the longest-lived process: the server ends with the thread that started it,
 * also after a kill -9. Throws DatabaseInUseError when another live process runs this directory, and
 * EmbeddedDatabaseError when the server can't run here.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const binaries = await findBinaries();
  const root = await makeRoot(options.dataDir);
  await waitUntilFree(root, options.log);
  const prefix = await chooseLaunchPrefix(binaries.postgres, root);
  await ensureCluster(root, binaries, prefix);
  const socketDirectory = await makeSocketDirectory(root, prefix.owner);
  const serverLine = serverArguments(join(root, 'data'), socketDirectory, options.settings ?? {});
  const command = [...prefix.command, ...unobtrusively(), binaries.postgres, ...serverLine];
  const supervisor = new Supervisor({ command, cwd: root, socketDirectory }, options.log);
  await supervisor.start();
  const stop = async () => {
    await supervisor.stop();
    await removeShortDirectory(root);
  };
  try {
    await signOwnership(root);
    await ensureApplicationDatabase(adminOf(socketDirectory));
  } catch (error) {
    await stop();
    throw error;
  }
  return { connection: applicationOf(socketDirectory), adminConnection: adminOf(socketDirectory), stop };
}

/** How to connect to the embedded server that another live process runs on `dataDir`, if one does. */
export async function findRunningEmbedded(dataDir: string): Promise<ClientConfig | undefined> {
  const socketDirectory = await findRunningServer(join(resolve(dataDir), 'postgres'));
  return socketDirectory === undefined ? undefined : applicationOf(socketDirectory);
}

// Real paths, so that two names of one folder are seen to be the same.
async function makeRoot(dataDir: string): Promise<string> {
  const root = join(resolve(dataDir), 'postgres');
  await mkdir(root, { recursive: true, mode: 0o755 });
  return realpath(root);
}

function applicationOf(socketDirectory: string): ClientConfig {
  return { host: socketDirectory, user: APPLICATION_ROLE, database: APPLICATION_ROLE };
}

function adminOf(socketDirectory: string): ClientConfig {
  return { host: socketDirectory, user: ADMIN_ROLE, database: 'postgres' };
}
