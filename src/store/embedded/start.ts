import { mkdir, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { ClientConfig } from 'pg';
import type { Log } from '../../core/common/log.js';
import { removeFormerRules, requirePassword, rulesFile, writeRules } from './access-rules.js';
import { type Binaries, findBinaries } from './binaries.js';
import { findRunningServer, signOwnership, waitUntilFree } from './claim.js';
import { ADMIN_ROLE, APPLICATION_ROLE, ensureApplicationDatabase, ensureCluster } from './cluster.js';
import { chooseLaunchPrefix } from './launch-prefix.js';
import { ensurePassword, readPassword } from './password.js';
import { unobtrusively } from './scheduling.js';
import type { ServerCommand } from './server-process.js';
import { type Settings, serverArguments } from './settings.js';
import { makeSocketDirectory, removeShortDirectory } from './socket-directory.js';
import { whileStartingAlone } from './start-lock.js';
import { Supervisor } from './supervisor.js';

/** SQLSTATE invalid_password. */
const WRONG_PASSWORD = '28P01';

export interface EmbeddedPostgresOptions {
  /** Folder of the installation; relative to the working directory. The server uses `postgres` inside it. */
  dataDir: string;
  log: Log;
  /** Additional server settings, for tests that do not need durability. */
  settings?: Settings;
  /** Accepts every client that reaches the socket without a password, for tests. */
  trustClients?: boolean;
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
 * Call it from the main thread of the longest-lived process: the server ends with the thread that started it, even after a kill
 * -9. Throws DatabaseInUseError when another live process runs this directory, and EmbeddedDatabaseError when the server can't
 * run here.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const binaries = await findBinaries();
  const root = await makeRoot(options.dataDir);
  return whileStartingAlone(root, () => startIn(root, binaries, options));
}

async function startIn(
  root: string,
  binaries: Binaries,
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  await waitUntilFree(root, options.log);
  const prefix = await chooseLaunchPrefix(binaries.postgres, root);
  const isFresh = await ensureCluster(root, binaries, prefix);
  const socketDirectory = await makeSocketDirectory(root, prefix.owner);
  const { password, isNew } = await ensurePassword(options.dataDir);
  const settings = { hba_file: rulesFile(root), ...options.settings };
  const serverLine = serverArguments(join(root, 'data'), socketDirectory, settings);
  const command = [...prefix.command, ...unobtrusively(prefix.command), binaries.postgres, ...serverLine];
  const access = options.trustClients ? 'trust' : isNew || isFresh ? 'new password' : 'password';
  const admin = adminOf(socketDirectory, password);
  const supervisor = await launch({ command, cwd: root, socketDirectory }, options.log, admin, access);
  return {
    connection: applicationOf(socketDirectory, password),
    adminConnection: adminOf(socketDirectory, password),
    stop: async () => {
      await supervisor.stop();
      await removeShortDirectory(root);
    },
  };
}

/** Whether clients need the password. `new password`: the password must be set first. */
type Access = 'password' | 'new password' | 'trust';

/**
 * Starts the server and completes its cluster. Sets the password when the cluster does not have it, for example after a restore.
 */
async function launch(
  command: ServerCommand,
  log: Log,
  admin: ClientConfig,
  access: Access,
): Promise<Supervisor> {
  const root = command.cwd;
  await writeRules(root, access === 'password' ? 'scram-sha-256' : 'trust');
  const supervisor = new Supervisor(command, log);
  await supervisor.start();
  try {
    await signOwnership(root);
    await removeFormerRules(root);
    if (access === 'new password') await requirePassword(root, admin);
    await ensureApplicationDatabase(admin);
    return supervisor;
  } catch (error) {
    await supervisor.stop();
    if (access !== 'password' || (error as { code?: string }).code !== WRONG_PASSWORD) throw error;
  }
  return launch(command, log, admin, 'new password');
}

/** How to connect to the embedded server that another live process runs on `dataDir`, if one does. */
export async function findRunningEmbedded(dataDir: string): Promise<ClientConfig | undefined> {
  const socketDirectory = await findRunningServer(join(resolve(dataDir), 'postgres'));
  return socketDirectory === undefined
    ? undefined
    : applicationOf(socketDirectory, await readPassword(dataDir));
}

// Uses the real path, so that two names of one folder are recognized as the same.
async function makeRoot(dataDir: string): Promise<string> {
  const root = join(resolve(dataDir), 'postgres');
  await mkdir(root, { recursive: true, mode: 0o755 });
  return realpath(root);
}

function applicationOf(socketDirectory: string, password: string | undefined): ClientConfig {
  return {
    host: socketDirectory,
    user: APPLICATION_ROLE,
    database: APPLICATION_ROLE,
    ...(password && { password }),
  };
}

function adminOf(socketDirectory: string, password: string): ClientConfig {
  return { host: socketDirectory, user: ADMIN_ROLE, database: 'postgres', password };
}
