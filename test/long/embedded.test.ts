import { spawnSync } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { ClientConfig } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectClient } from '../../src/store/connection/client.js';
import { openDatabase } from '../../src/store/connection/database.js';
import { findBinaries } from '../../src/store/embedded/binaries.js';
import { ensureCluster } from '../../src/store/embedded/cluster.js';
import { chooseLaunchPrefix, initdbPrefixes } from '../../src/store/embedded/launch-prefix.js';
import { startEmbeddedPostgres } from '../../src/store/embedded/start.js';
import { type Child, type ChildOptions, runChild } from '../support/child.js';
import { recordingLog, silentLog } from '../support/log.js';
import { waitFor } from '../support/wait-for.js';

const WRITER = 'test/support/database-writer.ts';
const IS_ROOT = process.getuid?.() === 0;
/** Scheduling policies as in sched(7). */
const [SCHED_OTHER, SCHED_BATCH] = ['0', '3'];
/** The user that processes without privileges share. */
const NOBODY = 65_534;
/** Any system account other than root and nobody. */
const DAEMON = 1;

describe('the embedded PostgreSQL', () => {
  let dataDir: string;
  let cleanups: (() => Promise<unknown>)[];

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'trunkline-embedded-'));
    cleanups = [() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 })];
  });

  afterEach(async () => {
    for (const cleanup of cleanups.reverse()) await cleanup();
  });

  async function start(directory = dataDir, log = silentLog) {
    const server = await startEmbeddedPostgres({ dataDir: directory, log });
    cleanups.push(() => server.stop());
    return server;
  }

  async function run(args: string[], options: ChildOptions = {}): Promise<Child> {
    const child = await runChild(WRITER, args, options);
    cleanups.push(() => child.kill());
    return child;
  }

  async function query(connection: ClientConfig, sql: string): Promise<Record<string, string>[]> {
    const client = await connectClient(connection);
    const { rows } = await client.query(sql);
    await client.end();
    return rows;
  }

  it('starts, keeps data over a stop, and leaves no process and no socket behind', async () => {
    const first = await start();
    await query(first.connection, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await first.stop();
    await expect(query(first.connection, 'SELECT 1')).rejects.toThrow();
    await expect(stat(join(dataDir, 'postgres', 'data', 'postmaster.pid'))).rejects.toThrow('ENOENT');
    const second = await start();
    expect(await query(second.connection, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  });

  it('is durable, speaks UTF-8 and gives the application an ordinary role', async () => {
    const { connection } = await start();
    const [settings] = await query(
      connection,
      `SELECT current_setting('fsync') fsync, current_setting('synchronous_commit') sync,
        current_setting('server_encoding') encoding, current_setting('listen_addresses') addresses,
        current_setting('data_checksums') checksums, 'ä' < 'z' AS alphabetical, upper('ä') AS upper,
        (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AS superuser`,
    );
    expect(settings).toEqual({
      fsync: 'on',
      sync: 'on',
      encoding: 'UTF8',
      addresses: '',
      checksums: 'on',
      alphabetical: false,
      upper: 'Ä',
      superuser: false,
    });
  });

  it('denies other users access to its socket and files', async () => {
    const { connection } = await start();
    for (const path of [connection.host ?? '', join(dataDir, 'postgres', 'data')]) {
      expect((await stat(path)).mode & 0o777).toBe(0o700);
    }
  });

  it('accepts a relative directory and one with a path too long for a socket', async () => {
    const deep = join(relative(process.cwd(), dataDir), 'long-folder-name-'.repeat(6), 'x'.repeat(40));
    const server = await start(deep);
    const host = server.connection.host ?? '';
    expect(host.startsWith(dataDir)).toBe(false);
    expect((await stat(host)).mode & 0o777).toBe(0o700);
    expect(await query(server.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await server.stop();
    await expect(stat(host)).rejects.toThrow('ENOENT');
  });

  it('refuses a directory that this or another process uses, and leaves it running', async () => {
    const server = await start();
    await expect(startEmbeddedPostgres({ dataDir, log: silentLog })).rejects.toThrow(
      'in use by another process',
    );
    const other = await run([dataDir, 'idle']);
    expect(await other.line((line) => line.startsWith('failed'))).toMatch(/^failed DatabaseInUseError: /);
    expect(await other.exited).toBe(1);
    expect(await query(server.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('starts although a process that was killed during its start left its lock behind', async () => {
    const lock = join(dataDir, 'postgres', 'starting.json');
    await mkdir(join(dataDir, 'postgres'));
    // This process began at another time, so the lock is of an earlier process with the same id.
    await writeFile(lock, JSON.stringify({ pid: process.pid, startMark: '1' }));
    const { connection } = await start();
    expect(await query(connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await expect(stat(lock)).rejects.toThrow('ENOENT');
  });

  it('lets only one of two processes that start at once on a new directory succeed', async () => {
    const both = await Promise.all([run([dataDir, 'idle']), run([dataDir, 'idle'])]);
    const said = await Promise.all(both.map((child) => child.line(() => true)));
    expect(said.map((line) => line.split(':')[0]).sort()).toEqual([
      'failed DatabaseInUseError',
      expect.stringMatching(/^ready/),
    ]);
  });

  it('lets a command of the command line use the server of the running process', async () => {
    const child = await run([dataDir, 'idle']);
    await child.line((line) => line.startsWith('ready'));
    const database = await openDatabase({ dataDir, log: silentLog, attach: true });
    expect((await database.pool.query('SELECT count(*)::int AS n FROM written')).rows).toEqual([{ n: 0 }]);
    await database.stop();
    expect(child.process.exitCode).toBeNull();
  });

  async function expectNothingLost(child: Child): Promise<void> {
    await child.line((line) => line === 'committed 500');
    await child.kill();
    const server = await start();
    const rows = await query(server.connection, 'SELECT id FROM written');
    const stored = new Set(rows.map(({ id }) => `committed ${id}`));
    const committed = child.lines.filter((line) => line.startsWith('committed'));
    expect(committed.length).toBeGreaterThan(450);
    expect(committed.filter((line) => !stored.has(line))).toEqual([]);
  }

  it('loses no committed row when its process is killed, and starts again at once', async () => {
    await expectNothingLost(await run([dataDir]));
  });

  it.runIf(IS_ROOT)('works for an ordinary user, and for root on the same directory afterwards', async () => {
    await chown(dataDir, DAEMON, DAEMON);
    const prefix = ['setpriv', `--reuid=${DAEMON}`, `--regid=${DAEMON}`, '--clear-groups', '--'];
    const child = await run([dataDir], { prefix });
    expect(await child.line((line) => !line.startsWith('committed'))).toBe(`ready ${DAEMON}`);
    await expectNothingLost(child);
  });

  it.runIf(IS_ROOT)('works for root in a folder that no other user may enter', async () => {
    const home = join(dataDir, 'private');
    await mkdir(home, { mode: 0o700 });
    const server = await start(join(home, 'data'));
    expect(await query(server.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('requires the password, which only the user of the service can read', async () => {
    const { connection } = await start();
    expect(await query(connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    for (const password of ['', 'wrong']) {
      for (const user of ['postgres', 'trunkline'])
        await expect(query({ ...connection, user, password }, 'SELECT 1')).rejects.toThrow(/password/);
    }
    const { mode, uid } = await stat(join(dataDir, 'database.password'));
    expect([mode & 0o777, uid]).toEqual([0o600, process.getuid?.()]);
  });

  it('starts again when its password file is missing or differs, as after a restore', async () => {
    await (await start()).stop();
    const file = join(dataDir, 'database.password');
    for (const change of [() => rm(file), () => writeFile(file, 'f'.repeat(48))]) {
      await change();
      const server = await start();
      expect(await query(server.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
      await server.stop();
    }
  });

  it('gives its server an environment without secrets', async () => {
    process.env.TRUNKLINE_TEST_SECRET = 'planted';
    cleanups.push(async () => delete process.env.TRUNKLINE_TEST_SECRET);
    await start();
    const environ = await readFile(`/proc/${await postmasterPid(dataDir)}/environ`, 'utf8');
    // The server adds its own variables.
    const names = environ.split('\0').map((each) => each.split('=')[0]);
    expect(names.filter((name) => name && !/^(PATH|PG\w+|LC_\w+|OLDPWD|PWD|SHLVL|_)$/.test(name))).toEqual(
      [],
    );
  });

  it.runIf(IS_ROOT)('started as root, is inaccessible to other unprivileged processes', async () => {
    await chmod(dataDir, 0o755);
    const { connection } = await start();
    const pid = await postmasterPid(dataDir);
    const { uid } = await stat(`/proc/${pid}`);
    expect([0, NOBODY]).not.toContain(uid);
    expect((await readFile('/etc/passwd', 'utf8')).includes(`:${uid}:`)).toBe(false);
    const asNobody = (...command: string[]) =>
      spawnSync('setpriv', [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--', ...command], {
        encoding: 'utf8',
      });
    const reached = [
      asNobody('cat', `/proc/${pid}/environ`),
      asNobody('ls', String(connection.host)),
      asNobody('ls', join(dataDir, 'postgres', 'data')),
      asNobody('cat', join(dataDir, 'database.password')),
      asNobody('kill', '-0', String(pid)),
    ].filter(({ status }) => status === 0);
    expect(reached).toEqual([]);
    expect(asNobody('true').status).toBe(0);
  });

  it.runIf(IS_ROOT)(
    'takes over a directory of a version that ran it as another user and trusted every client',
    async () => {
      await chmod(dataDir, 0o755);
      const first = await start();
      await query(first.connection, 'CREATE TABLE kept AS SELECT 42 AS answer');
      await first.stop();
      await rm(join(dataDir, 'database.password'));
      spawnSync('chown', ['-R', `${NOBODY}:${NOBODY}`, join(dataDir, 'postgres')]);
      const second = await start();
      expect(await query(second.connection, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
      expect((await stat(join(dataDir, 'postgres', 'data'))).uid).not.toBe(NOBODY);
      await expect(query({ ...second.connection, password: '' }, 'SELECT 1')).rejects.toThrow(/password/);
    },
  );

  it.runIf(IS_ROOT)(
    'is created under an account without processes if the system has no user namespaces',
    async () => {
      await chmod(dataDir, 0o755);
      const root = join(dataDir, 'postgres');
      const binaries = await findBinaries();
      await mkdir(root);
      const prefix = await chooseLaunchPrefix(binaries.postgres, root);
      const [, account] = await initdbPrefixes(prefix);
      if (account === undefined) throw new Error('There is no second way to run initdb.');
      await ensureCluster(root, binaries, { ...account, owner: account.owner });
      const server = await start();
      expect(await query(server.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    },
  );

  it('starts in a service of the scheduling class SCHED_IDLE, which its server may not leave', async () => {
    // This class runs only while the rest of its session is idle, so the process gets its own session.
    const child = await run([dataDir, 'idle'], { prefix: ['setsid', 'chrt', '--idle', '0'] });
    expect(await child.line(() => true)).toMatch(/^ready/);
  }, 900_000);

  it('runs its server in the scheduling class SCHED_BATCH where the system supports it', async () => {
    const server = await start();
    expect(await query(server.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    const policy = (await readFile(`/proc/${await postmasterPid(dataDir)}/stat`, 'utf8'))
      .split(') ')[1]
      ?.split(' ')[38];
    const canBatch = spawnSync('chrt', ['--batch', '0', 'true']).status === 0;
    expect(policy).toBe(canBatch ? SCHED_BATCH : SCHED_OTHER);
  });

  it.each(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGQUIT'] as const)(
    'starts the server again after a %s from another program, and the pool reconnects automatically',
    async (signal) => {
      const log = recordingLog();
      const database = await openDatabase({ dataDir, log });
      cleanups.push(() => database.stop());
      await database.pool.query('CREATE TABLE kept AS SELECT 1 AS one');
      const pid = await postmasterPid(dataDir);
      process.kill(pid, signal);
      await waitFor(async () => {
        expect((await database.pool.query('SELECT one FROM kept')).rows).toEqual([{ one: 1 }]);
        expect(await postmasterPid(dataDir)).not.toBe(pid);
      });
      await database.checkNewConnections();
      await waitFor(() => expect(log.lines.map(({ event }) => event)).toContain('database.restarted'));
    },
  );
});

async function postmasterPid(dataDir: string): Promise<number> {
  const text = await readFile(join(dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8');
  return Number(text.split('\n')[0]);
}
