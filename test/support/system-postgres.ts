import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientConfig } from 'pg';
import { connectClient } from '../../src/store/connection/client.js';
import { probeServer } from '../../src/store/embedded/probe.js';

/** The account of Debian's packages. The server refuses to run as root. */
const ACCOUNT = 'postgres';

/** Debian's package of the oldest supported version. */
export const OLDEST_BIN = '/usr/lib/postgresql/15/bin';

/** Whether the oldest supported PostgreSQL is installed. In CI its absence is an error. */
export function hasOldestPostgres(): boolean {
  if (existsSync(OLDEST_BIN)) return true;
  if (process.env.CI) throw new Error('postgresql-15 is not installed, and CI must not skip its tests.');
  console.warn(`SKIPPED: tests that need PostgreSQL 15 in ${OLDEST_BIN}.`);
  return false;
}

export interface SystemPostgres {
  readonly connection: ClientConfig;
  /** The address of a database, as the application role. */
  url(database: string): string;
  admin(statement: string): Promise<void>;
  stop(): Promise<void>;
}

export interface SystemPostgresOptions {
  readonly settings?: Readonly<Record<string, string>>;
  /** A running server to replicate. The new one is promoted at once. */
  readonly replicaOf?: SystemPostgres;
}

/** A temporary server with the programs in `bin`, with the defaults of its distribution except for `settings`. */
export async function startSystemPostgres(
  bin: string,
  folder: string,
  { settings = {}, replicaOf }: SystemPostgresOptions = {},
): Promise<SystemPostgres> {
  const { prefix, ids } = account();
  const [data, socket] = [join(folder, 'data'), join(folder, 'run')];
  await chmod(folder, 0o755);
  for (const each of [data, socket]) {
    await mkdir(each, { mode: 0o700 });
    if (ids) await chown(each, ids.uid, ids.gid);
  }
  run([...prefix, ...(replicaOf ? copyOf(replicaOf, bin) : newCluster(bin)), '-D', data]);
  const all = { ...settings, listen_addresses: '', unix_socket_directories: socket };
  const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const [command = '', ...rest] = [...prefix, join(bin, 'postgres'), '-D', data, ...options];
  const server = spawn(command, rest, { cwd: folder, detached: true, stdio: 'ignore' });
  const gone = once(server, 'exit');
  while ((await probeServer(socket)) !== 'accepting') {
    if (server.exitCode !== null) throw new Error(`The server in ${bin} ended with ${server.exitCode}.`);
    await sleep(50);
  }
  const admin = async (statement: string) => {
    const client = await connectClient({ host: socket, user: 'postgres', database: 'postgres' });
    await client.query(statement).finally(() => client.end());
  };
  await admin(replicaOf ? 'SELECT pg_promote()' : 'CREATE ROLE trunkline LOGIN CREATEROLE');
  return {
    connection: { host: socket, user: 'trunkline', database: 'trunkline' },
    url: (database) => `postgres://trunkline@localhost/${database}?host=${encodeURIComponent(socket)}`,
    admin,
    stop: async () => {
      server.kill('SIGINT');
      await gone;
    },
  };
}

function newCluster(bin: string): string[] {
  return [join(bin, 'initdb'), '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '-N'];
}

function copyOf({ connection }: SystemPostgres, bin: string): string[] {
  return [
    join(bin, 'pg_basebackup'),
    '-h',
    String(connection.host),
    '-U',
    'postgres',
    '-R',
    '-c',
    'fast',
    '-N',
  ];
}

function account(): { prefix: string[]; ids?: { uid: number; gid: number } } {
  if (process.getuid?.() !== 0) return { prefix: ['setpriv', '--pdeathsig', 'INT', '--'] };
  const [uid, gid] = ['-u', '-g'].map((which) => Number(run(['id', which, ACCOUNT])));
  if (uid === undefined || gid === undefined) throw new Error(`There is no account ${ACCOUNT}.`);
  const identity = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
  return { prefix: ['setpriv', '--pdeathsig', 'INT', ...identity, '--'], ids: { uid, gid } };
}

function run([command = '', ...args]: string[]): string {
  const result = spawnSync(command, args, { encoding: 'utf8' });
  if (result.status !== 0) throw new Error(`${command} ${args.join(' ')}: ${result.stderr}`);
  return result.stdout.trim();
}
