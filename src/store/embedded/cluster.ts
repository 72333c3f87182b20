import { spawn } from 'node:child_process';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClientConfig } from 'pg';
import { connectClient } from '../connection/client.js';
import { EmbeddedDatabaseError } from '../errors.js';
import type { Binaries } from './binaries.js';
import { giveTo, giveTreeTo, initdbPrefixes, type LaunchPrefix } from './launch-prefix.js';
import { startMark } from './processes.js';
import { serverEnvironment } from './server-environment.js';

/**
 * Superuser that sets up the cluster. The application uses an ordinary role, because row-level security does not apply to
 * superusers.
 */
export const ADMIN_ROLE = 'postgres';
/** Role and database of the application. */
export const APPLICATION_ROLE = 'trunkline';

/** Start of the name of a folder with an unfinished cluster. The id of the process that creates the cluster follows. */
const UNFINISHED = 'data.new-';

const BUILT_IN_LOCALE = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];

/**
 * Creates the cluster `root/data` unless it exists. Resolves with whether this call created it.
 *
 * A start that fails half-way leaves no cluster that is used later. When two processes do this at once, one of them finds the
 * cluster of the other.
 */
export async function ensureCluster(
  root: string,
  binaries: Binaries,
  prefix: LaunchPrefix,
): Promise<boolean> {
  const data = join(root, 'data');
  await removeUnfinished(root);
  if (await exists(join(data, 'PG_VERSION'))) return false;
  const unfinished = join(root, `${UNFINISHED}${process.pid}`);
  await initialise(unfinished, root, binaries, prefix);
  try {
    await rename(unfinished, data);
    return true;
  } catch (error) {
    await rm(unfinished, { recursive: true });
    if (!(await exists(join(data, 'PG_VERSION')))) throw error;
    return false;
  }
}

async function removeUnfinished(root: string): Promise<void> {
  for (const name of await readdir(root)) {
    if (!name.startsWith(UNFINISHED)) continue;
    const pid = Number(name.slice(UNFINISHED.length));
    const isAbandoned = pid === process.pid || startMark(pid) === undefined;
    if (isAbandoned) await rm(join(root, name), { recursive: true, force: true });
  }
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

async function initialise(directory: string, root: string, binaries: Binaries, prefix: LaunchPrefix) {
  const failures: Error[] = [];
  for (const candidate of await initdbPrefixes(prefix)) {
    await rm(directory, { recursive: true, force: true });
    await mkdir(directory, { mode: 0o700 });
    await giveTo(directory, candidate.owner);
    try {
      await runInitdb(directory, root, binaries, candidate);
      return await giveTreeTo(directory, prefix.owner);
    } catch (error) {
      failures.push(error as Error);
    }
  }
  await rm(directory, { recursive: true, force: true });
  throw failures.at(-1);
}

async function runInitdb(directory: string, cwd: string, binaries: Binaries, prefix: LaunchPrefix) {
  const options = ['-D', directory, '-U', ADMIN_ROLE, '-A', 'trust', '-E', 'UTF8', '--no-instructions'];
  const locale = binaries.locale ?? BUILT_IN_LOCALE;
  const [command = '', ...rest] = [...prefix.command, binaries.initdb, ...options, ...locale];
  const child = spawn(command, rest, { cwd, env: serverEnvironment, stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) {
    throw new EmbeddedDatabaseError(
      `The embedded database can't be created in ${cwd}: ${output.trim() || `exit ${code}`}`,
    );
  }
}

/** Creates the role and the database of the application in a running cluster, and sets the password of the role. */
export async function ensureApplicationDatabase(admin: ClientConfig): Promise<void> {
  const client = await connectClient(admin);
  try {
    const role = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [APPLICATION_ROLE]);
    if (role.rowCount === 0) await client.query(`CREATE ROLE ${APPLICATION_ROLE} LOGIN CREATEROLE`);
    const database = await client.query('SELECT FROM pg_database WHERE datname = $1', [APPLICATION_ROLE]);
    if (database.rowCount === 0) {
      await client.query(`CREATE DATABASE ${APPLICATION_ROLE} OWNER ${APPLICATION_ROLE}`);
    }
    if (typeof admin.password === 'string') {
      const password = client.escapeLiteral(admin.password);
      await client.query(`ALTER ROLE ${APPLICATION_ROLE} PASSWORD ${password}`);
    }
  } finally {
    await client.end();
  }
}
