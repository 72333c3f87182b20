import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientConfig } from 'pg';
import { connectClient } from '../../src/store/client.js';
import { probeServer } from '../../src/store/embedded/probe.js';

/** The account of Debian's packages; the server refuses to run as root. */
const ACCOUNT = 'postgres';

/** A throw-away server with the programs in `bin`, as a distribution ships them and with its defaults, but for `settings`. */
export async function startSystemPostgres(
  bin: string,
  folder: string,
  settings: Readonly<Record<string, string>>,
): Promise<{ connection: ClientConfig; stop(): Promise<void> }> {
  const { prefix, ids } = account();
  const [data, socket] = [join(folder, 'data'), join(folder, 'run')];
  await chmod(folder, 0o755);
  for (const each of [data, socket]) {
    await mkdir(each, { mode: 0o700 });
    if (ids) await chown(each, ids.uid, ids.gid);
  }
  run([
    ...prefix,
    join(bin, 'initdb'),
    '-D',
    data,
    '-U',
    'postgres',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C.UTF-8',
    '-N',
  ]);
  const all = { ...settings, listen_addresses: '', unix_socket_directories: socket };
  const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const [command = '', ...rest] = [...prefix, join(bin, 'postgres'), '-D', data, ...options];
  const server = spawn(command, rest, { cwd: folder, detached: true, stdio: 'ignore' });
  const gone = once(server, 'exit');
  const admin = { host: socket, user: 'postgres', database: 'postgres' };
  while ((await probeServer(socket)) !== 'accepting') {
    if (server.exitCode !== null) throw new Error(`The server in ${bin} ended with ${server.exitCode}.`);
    await sleep(50);
  }
  const client = await connectClient(admin);
  await client.query('CREATE ROLE trunkline LOGIN CREATEROLE');
  await client.end();
  return {
    connection: { host: socket, user: 'trunkline', database: 'trunkline' },
    stop: async () => {
      server.kill('SIGINT');
      await gone;
    },
  };
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
