import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { verify } from '@node-rs/argon2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashPassword } from '../../src/app/access/passwords.js';
import { generateApiKey, hashCredential, readApiKey } from '../../src/core/access/api-key-format.js';
import { startEmbeddedPostgres } from '../../src/store/embedded/start.js';
import { checkMasterKey } from '../../src/store/secrets/master-key.js';
import { AesSecretBox } from '../../src/store/secrets/secret-box.js';
import { PostgresWorkspaces } from '../../src/store/workspaces/workspaces.js';
import { CommandHost, type Ended, runProgram } from '../support/command-line.js';
import { silentLog } from '../support/log.js';
import { values } from '../support/people.js';
import { type TestDatabase, testDatabase } from '../support/postgres.js';

const EMAIL = 'ann@a.example';
const PASSWORD = 'correct horse';

let database: TestDatabase;
let dataDir: string;
let host: CommandHost;

beforeAll(async () => {
  host = new CommandHost();
  database = await testDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'trunkline-cli-'));
  const passwordHash = await hashPassword(PASSWORD);
  const owner = { email: EMAIL, passwordHash, username: 'ann', displayName: 'Ann', operator: true };
  await new PostgresWorkspaces(database.pool).bootstrap('Default', owner, undefined);
});

afterAll(async () => {
  await host.stop();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Runs a command. `start` and commands that read standard input get their own process; the others share one. */
function trunkline(
  args: string[],
  environment: Record<string, string> = {},
  input = '',
  endAt?: RegExp,
): Promise<Ended> {
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? '',
    DATA_DIR: dataDir,
    ...environment,
  };
  if (args[0] === 'start' || input !== '') return runProgram(args, { env, input, ...(endAt && { endAt }) });
  return host.run(args, env);
}

const onDatabase = () => ({ DATABASE_URL: database.url });

describe('exit code 2', () => {
  it.each([
    ['an unknown command', ['dance'], /Unknown command 'dance'/],
    ['an unknown flag', ['start', '--fast'], /Unknown option '--fast'[\s\S]*trunkline start --help/],
    ['a group without its action', ['keys'], /A command is missing[\s\S]*trunkline keys --help/],
    [
      'a missing argument',
      ['keys', 'create', '--user', EMAIL],
      /--name <name>[\s\S]*trunkline keys create --help/,
    ],
    [
      'an unknown scope',
      ['keys', 'create', '--user', EMAIL, '--name', 'x', '--scopes', 'fly'],
      /no scope "fly"/,
    ],
    [
      'a rate that is none',
      ['keys', 'create', '--user', EMAIL, '--name', 'x', '--scopes', 'all', '--rate-limit', '1.5'],
      /--rate-limit/,
    ],
    ['an argument too few', ['users', 'reset-password'], /argument 'email'/],
    ['an argument too many', ['migrate', 'now'], /Too many arguments for 'migrate'/],
    ['a flag of another command', ['healthcheck', '--simulators'], /Unknown option '--simulators'/],
    [
      'two keys to revoke',
      ['keys', 'revoke', crypto.randomUUID(), crypto.randomUUID()],
      /Too many arguments for 'revoke'/,
    ],
    ['a key without a name', ['keys', 'create', '--user', EMAIL, '--name', '', '--scopes', 'all'], /--name/],
    [
      'a name that is too long',
      ['keys', 'create', '--user', EMAIL, '--name', '🔑'.repeat(257), '--scopes', 'all'],
      /--name/,
    ],
  ])('is used for %s', async (_what, args, message) => {
    const { code, out, err } = await trunkline(args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(message);
  });

  it.each([
    [{ PORT: 'http' }, /PORT/],
    [{ PUBLIC_URL: 'https://a.example/' }, /PUBLIC_URL .*trailing slash/],
    [{ DATABASE_URL: 'mysql://a' }, /DATABASE_URL must be of the form postgres/],
    [{ TRUNKLINE_MASTER_KEY: 'c2hvcnQ=' }, /TRUNKLINE_MASTER_KEY must be 32 bytes/],
    [{ TRUNKLINE_BOOTSTRAP_EMAIL: 'nobody' }, /TRUNKLINE_BOOTSTRAP_EMAIL/],
    [{ TRUNKLINE_BOOTSTRAP_EMAIL: EMAIL }, /set together/],
    [{ LOG_LEVEL: 'loud' }, /LOG_LEVEL/],
  ])('is used for a malformed environment: %j', async (environment, message) => {
    const { code, err } = await trunkline(['start'], environment as Record<string, string>);
    expect(code).toBe(2);
    expect(err).toMatch(message);
    expect(err).not.toContain('    at ');
  });

  it('is used for a malformed bootstrap key, without repeating it', async () => {
    const key = `tl_live_${'x'.repeat(49)}`;
    const { code, err } = await trunkline(['start'], {
      ...onDatabase(),
      PORT: '0',
      TRUNKLINE_BOOTSTRAP_EMAIL: EMAIL,
      TRUNKLINE_BOOTSTRAP_PASSWORD: PASSWORD,
      TRUNKLINE_BOOTSTRAP_API_KEY: key,
    });
    expect(code).toBe(2);
    expect(err).toContain('TRUNKLINE_BOOTSTRAP_API_KEY');
    expect(err).not.toContain(key);
  });
});

describe('the help of the command line', () => {
  it.each([
    [['--help'], /Commands:[\s\S]*keys[\s\S]*simulate/],
    [['help'], /Commands:/],
    [['keys', '--help'], /Usage: trunkline keys[\s\S]*list/],
    [['keys', 'create', '--help'], /--rate-limit <n>/],
    [['help', 'start'], /--simulators/],
    [['users', 'export', '-h'], /<id>/],
    [['webhooks', 'verify', '--help'], /--secret-file/],
  ])('of %j is printed to standard output with exit code 0', async (args, text) => {
    const { code, out, err } = await trunkline(args);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(text);
  });

  it('is not printed after a usage error, which takes two or three lines', async () => {
    const { code, err } = await trunkline(['keys', 'creat']);
    expect(code).toBe(2);
    expect(err).toContain('create');
    expect(err.trim().split('\n').length).toBeLessThanOrEqual(3);
  });
});

describe('a start that cannot succeed', () => {
  it('names PORT when another program listens there, before a database is started', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const own = await mkdtemp(join(tmpdir(), 'trunkline-cli-port-'));
    try {
      const { code, err } = await trunkline(['start'], { DATA_DIR: own, PORT: String(port) });
      expect(code).toBe(1);
      expect(err).toContain(`Port ${port} on 127.0.0.1 is in use`);
      expect(err).toContain('Set PORT');
      expect(await readdir(own)).toEqual([]);
    } finally {
      other.close();
      await rm(own, { recursive: true, force: true });
    }
  });

  it('names METRICS_PORT when that port is in use', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    try {
      const { code, err } = await trunkline(['start'], { PORT: '0', METRICS_PORT: String(port) });
      expect([code, err]).toEqual([1, expect.stringContaining('Set METRICS_PORT')]);
    } finally {
      other.close();
    }
  });

  it('names HOST when this machine has no such address', async () => {
    const { code, err } = await trunkline(['start'], { HOST: '192.0.2.1', PORT: '8099' });
    expect([code, err]).toEqual([
      2,
      expect.stringContaining('HOST 192.0.2.1 is not an address of this machine'),
    ]);
  });

  it.each([['/proc/nope'], ['/proc/nope/deeper'], ['/dev/null'], ['/dev/null/data']])(
    'names DATA_DIR when the folder %s can’t be created',
    async (folder) => {
      const { code, err } = await trunkline(['start'], { DATA_DIR: folder, PORT: '0' });
      expect([code, err]).toEqual([2, expect.stringContaining(`DATA_DIR ${folder} can't be used`)]);
    },
  );
});

describe('the data of a running service', () => {
  let own: string;
  let server: Awaited<ReturnType<typeof startEmbeddedPostgres>>;

  beforeAll(async () => {
    own = await mkdtemp(join(tmpdir(), 'trunkline-cli-own-'));
    server = await startEmbeddedPostgres({ dataDir: own, log: silentLog });
  });
  afterAll(async () => {
    await server.stop();
    await rm(own, { recursive: true, force: true });
  });

  it('is refused to a second service with exit code 3, while commands may use it', async () => {
    const { code, err } = await trunkline(['start'], { DATA_DIR: own, PORT: '0' });
    expect(code).toBe(3);
    expect(err).toContain('in use by another process');
    expect((await trunkline(['migrate'], { DATA_DIR: own })).code).toBe(0);
  });

  it('is refused to a second service with exit code 3 also when the port is the same', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    try {
      const { code, err } = await trunkline(['start'], { DATA_DIR: own, PORT: String(port) });
      expect([code, err]).toEqual([3, expect.stringContaining('Another Trunkline runs on')]);
    } finally {
      other.close();
    }
  });
});

describe('bootstrap variables', () => {
  const bootstrap = (email: string, more: Record<string, string> = {}) => ({
    ...onDatabase(),
    PORT: '0',
    TRUNKLINE_BOOTSTRAP_EMAIL: email,
    TRUNKLINE_BOOTSTRAP_PASSWORD: PASSWORD,
    ...more,
  });

  it('are listed in a warning when the database already has users', async () => {
    const key = generateApiKey('live').key;
    const environment = bootstrap('other@a.example', { TRUNKLINE_BOOTSTRAP_API_KEY: key });
    const { code, out } = await trunkline(['start'], environment, '', /"msg":"listening"/);
    expect(code).toBe(0);
    const [warning] = out.split('\n').filter((line) => line.includes('bootstrap.ignored'));
    expect(JSON.parse(warning ?? '{}')).toMatchObject({
      level: 'warn',
      variables: ['TRUNKLINE_BOOTSTRAP_EMAIL', 'TRUNKLINE_BOOTSTRAP_PASSWORD', 'TRUNKLINE_BOOTSTRAP_API_KEY'],
    });
    expect(out).not.toContain(key);
  });

  it('are listed if the owner has another password than they name', async () => {
    const environment = bootstrap(EMAIL.toUpperCase(), { TRUNKLINE_BOOTSTRAP_PASSWORD: 'another password' });
    const { out } = await trunkline(['start'], environment, '', /"msg":"listening"/);
    const [warning] = out.split('\n').filter((line) => line.includes('bootstrap.ignored'));
    expect(JSON.parse(warning ?? '{}')).toMatchObject({ variables: ['TRUNKLINE_BOOTSTRAP_PASSWORD'] });
    expect(out).not.toContain('another password');
  });

  it('cause no warning if they name the owner that they created', async () => {
    const { out } = await trunkline(['start'], bootstrap(EMAIL), '', /"msg":"listening"/);
    expect(out).not.toContain('bootstrap.ignored');
  });
});

describe('the start command', () => {
  const startUntilListening = async (more: Record<string, string> = {}) => {
    const environment = { ...onDatabase(), PORT: '0', ...more };
    const { code, out, err } = await trunkline(['start'], environment, '', /"msg":"listening"/);
    const lines = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    return { code, err, lines, said: lines.filter(({ msg }) => msg === 'listening') };
  };
  const oneAddress = [expect.objectContaining({ url: expect.stringMatching(/^http:\/\/localhost:\d+$/) })];

  it('warns of a missing PUBLIC_URL, logs process, host and roles in each line, prints the address and exits with 0', async () => {
    const { code, lines, said, err } = await startUntilListening();
    expect(code).toBe(0);
    expect(lines.map(({ msg }) => msg)).toContain('public_url.missing');
    const process = { pid: expect.any(Number), host: hostname(), role: 'api,worker,gateway' };
    for (const line of lines) expect(line).toMatchObject(process);
    expect(said).toEqual(oneAddress);
    expect(err).toMatch(/Trunkline is ready: http:\/\/localhost:\d+/);
  });

  it('logs only its address at LOG_LEVEL error', async () => {
    const { code, lines, said } = await startUntilListening({ LOG_LEVEL: 'error' });
    expect(code).toBe(0);
    expect(said).toEqual(oneAddress);
    expect(lines).toEqual(said);
  });

  it('logs the chosen port, also if PUBLIC_URL has another address', async () => {
    const { said } = await startUntilListening({ PUBLIC_URL: 'https://bridge.example' });
    expect(said).toEqual([
      expect.objectContaining({ url: 'https://bridge.example', port: expect.any(Number) }),
    ]);
    expect(said[0]?.port).toBeGreaterThan(0);
  });
});

describe('a wrong master key', () => {
  it('is refused with exit code 2, and nothing is served', async () => {
    const own = await testDatabase();
    try {
      await checkMasterKey(own.pool, new AesSecretBox(Buffer.alloc(32, 1)));
      const { code, out, err } = await trunkline(['start'], {
        DATABASE_URL: own.url,
        PORT: '0',
        TRUNKLINE_MASTER_KEY: Buffer.alloc(32, 2).toString('base64'),
      });
      expect(code).toBe(2);
      expect(out).not.toContain('listening');
      expect(err).toContain('does not fit the database');
    } finally {
      await own.drop();
    }
  });
});

describe('exit code 3', () => {
  const nowhere = { DATABASE_URL: 'postgres://ann:hunter2@127.0.0.1:1/trunkline', PORT: '0' };

  it.each([[['start']], [['migrate']], [['keys', 'revoke', crypto.randomUUID()]]])(
    'is used for an unreachable database, without its password (%j)',
    async (args) => {
      const { code, out, err } = await trunkline(args, nowhere);
      expect([code, out]).toEqual([3, '']);
      expect(err).toContain('127.0.0.1:1/trunkline');
      expect(err).not.toContain('hunter2');
    },
  );
});

const create = (...more: string[]) =>
  trunkline(['keys', 'create', '--user', EMAIL, '--name', 'ci', ...more], onDatabase());

describe('links resume', () => {
  it('exits with 2 for an invalid id and 1 for a link that is not paused', async () => {
    const wrong = await trunkline(['links', 'resume', 'x'], onDatabase());
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('The id of a link is a UUID.')]);
    const id = crypto.randomUUID();
    const unknown = await trunkline(['links', 'resume', id], onDatabase());
    expect([unknown.code, unknown.err]).toEqual([
      1,
      expect.stringContaining(`No paused link has the id ${id}.`),
    ]);
  });
});

describe('keys of the command line', () => {
  it('are printed once, alone on standard output, and stored as their hash', async () => {
    const { code, out } = await create('--scopes', 'messages:read, messages:write', '--rate-limit', '0');
    const key = out.trim();
    expect([code, readApiKey(key)]).toEqual([0, 'live']);
    const { rows } = await database.pool.query(
      'SELECT name, scopes, rate_limit FROM api_keys WHERE hash = $1',
      [hashCredential(key)],
    );
    expect(rows).toEqual([{ name: 'ci', scopes: ['messages:read', 'messages:write'], rate_limit: 0 }]);
  });

  it('for tests act in the test workspace', async () => {
    const { out } = await create('--scopes', 'all', '--test');
    const [live] = await values(
      database.pool,
      'SELECT w.live_workspace_id IS NOT NULL FROM api_keys k JOIN workspaces w ON w.id = k.workspace_id WHERE hash = $1',
      [hashCredential(out.trim())],
    );
    expect([readApiKey(out.trim()), live]).toEqual(['test', true]);
  });

  it('are revoked once, with exit code 1 if there is nothing to revoke', async () => {
    const { out } = await create('--scopes', 'all');
    const [id] = await values<string>(database.pool, 'SELECT id FROM api_keys WHERE hash = $1', [
      hashCredential(out.trim()),
    ]);
    expect((await trunkline(['keys', 'revoke', id!], onDatabase())).code).toBe(0);
    for (const wrong of [id!, crypto.randomUUID(), 'no-id']) {
      const { code, err } = await trunkline(['keys', 'revoke', wrong], onDatabase());
      expect([code, err]).toEqual([1, expect.stringContaining('"trunkline keys list"')]);
    }
  });

  it('are refused with exit code 1 beyond the rate limit and the number of keys of the plan', async () => {
    const own = await testDatabase();
    const env = { DATABASE_URL: own.url };
    const make = (rate: string) =>
      trunkline(
        [
          'keys',
          'create',
          '--user',
          EMAIL,
          '--name',
          '🔑'.repeat(256),
          '--scopes',
          'all',
          '--rate-limit',
          rate,
        ],
        env,
      );
    try {
      const owner = {
        email: EMAIL,
        passwordHash: 'none',
        username: 'ann',
        displayName: 'Ann',
        operator: true,
      };
      await new PostgresWorkspaces(own.pool).bootstrap('Default', owner, undefined);
      await own.pool.query(`UPDATE workspaces SET plan = 'team'`);
      for (const rate of ['0', '1001']) expect(await make(rate)).toMatchObject({ code: 1, out: '' });
      expect((await make('1000')).code).toBe(0);
      await own.pool.query(
        `INSERT INTO api_keys (id, workspace_id, user_id, name, environment, scopes, rate_limit, hash, hint)
         SELECT uuid7(), workspace_id, user_id, name, environment, scopes, rate_limit, sha256(n::text::bytea), hint
         FROM api_keys CROSS JOIN generate_series(1, 99) n`,
      );
      expect(await make('1000')).toMatchObject({ code: 1, out: '' });
    } finally {
      await own.drop();
    }
  });

  it('require a member, with exit code 1 for an unknown address', async () => {
    const args = ['keys', 'create', '--user', 'nobody@a.example', '--name', 'x', '--scopes', 'all'];
    expect(await trunkline(args, onDatabase())).toMatchObject({ code: 1, out: '' });
  });

  it('can be generated without any database', async () => {
    const { code, out } = await trunkline(['keys', 'generate', '--test'], {
      DATABASE_URL: 'postgres://127.0.0.1:1/x',
      DATA_DIR: join(dataDir, 'none'),
    });
    expect([code, readApiKey(out.trim())]).toEqual([0, 'test']);
    expect(await readdir(dataDir)).not.toContain('none');
  });
});

describe('keys list', () => {
  it('shows every key with its owner and state, and never the key itself', async () => {
    const made = await create('--scopes', 'messages:read');
    const [, id = ''] = /id (\S+)/.exec(made.err) ?? [];
    await trunkline(
      ['keys', 'create', '--user', EMAIL, '--name', 'gone', '--scopes', 'all', '--test'],
      onDatabase(),
    );
    // Libraries color the output for such a terminal.
    const table = await trunkline(['keys', 'list'], { ...onDatabase(), TERM: 'xterm-256color' });
    expect(table.code).toBe(0);
    expect(table.out).toContain(id);
    expect(table.out).toContain(EMAIL);
    expect(table.out).not.toContain(made.out.trim());
    expect(table.out).not.toContain('\u001b');
    await trunkline(['keys', 'revoke', id], onDatabase());
    const { out } = await trunkline(['keys', 'list', '--json', '--user', EMAIL.toUpperCase()], onDatabase());
    const keys = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(keys.find((key) => key.id === id)).toMatchObject({
      scopes: ['messages:read'],
      email: EMAIL,
      environment: 'live',
      revokedAt: expect.any(String),
    });
    expect(keys.find(({ name }) => name === 'gone')).toMatchObject({ environment: 'test', revokedAt: null });
    const none = await trunkline(['keys', 'list', '--json', '--user', 'none@a.example'], onDatabase());
    expect(none).toMatchObject({ code: 0, out: '' });
  });
});

describe('a password for the command line', () => {
  it('is read from standard input and stored as argon2id', async () => {
    const { code } = await trunkline(
      ['users', 'reset-password', EMAIL.toUpperCase()],
      onDatabase(),
      `${PASSWORD}\n`,
    );
    const [hash] = await values<string>(
      database.pool,
      'SELECT password_hash FROM users WHERE email = $1 AND password_hash IS NOT NULL',
      [EMAIL],
    );
    expect(code).toBe(0);
    expect(hash).toMatch(/^\$argon2id\$/);
    expect(await verify(hash!, PASSWORD)).toBe(true);
  });

  it('is refused with exit code 2 if it is too short, and with 1 for an unknown address', async () => {
    expect((await trunkline(['users', 'reset-password', EMAIL], onDatabase(), 'short')).code).toBe(2);
    expect((await trunkline(['users', 'reset-password', 'x@a.example'], onDatabase(), PASSWORD)).code).toBe(
      1,
    );
  });
});

describe('a database of another build', () => {
  const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };
  const changed = async (column: string, value: string | null) => {
    const other = await testDatabase();
    await other.pool.query(
      `UPDATE schema_migrations SET checksum = 'other', applied_at = '2026-11-20T12:00:00Z', ${column} = $1 WHERE version = 1`,
      [value],
    );
    return other;
  };

  it.each([[['start']], [['migrate']], [['resume']], [['users', 'export', crypto.randomUUID()]]])(
    'is refused by %j with exit code 1, the release that set it up and the fix, without internals',
    async (args) => {
      const other = await changed('release', '0.0.9');
      try {
        const { code, out, err } = await trunkline(args, { DATABASE_URL: other.url, PORT: '0' });
        expect(code).toBe(1);
        expect(out).not.toContain('listening');
        expect(err).toContain(
          `The database was set up on 2026-11-20 by another build of Trunkline 0.0.9, and this build of ${version} cannot use`,
        );
        expect(err).toContain('set DATABASE_URL to an empty database, or DATA_DIR to a new folder');
        expect(err).toContain('start the build that ran before');
        expect(err).toContain('"trunkline users export"');
        expect(err).not.toMatch(/\.sql|checksum|migration|\bat .*:\d+/);
      } finally {
        await other.drop();
      }
    },
  );

  it('is reported as set up by an early build if no release is recorded', async () => {
    const other = await changed('release', null);
    try {
      const { code, err } = await trunkline(['migrate'], { DATABASE_URL: other.url });
      expect([code, err]).toEqual([1, expect.stringContaining('by an early build of Trunkline, and')]);
    } finally {
      await other.drop();
    }
  });
});

describe('the other commands', () => {
  it('migrate an empty database, also a second time', async () => {
    const empty = await testDatabase({ empty: true });
    try {
      for (let n = 0; n < 2; n += 1) {
        expect((await trunkline(['migrate'], { DATABASE_URL: empty.url })).code).toBe(0);
      }
      expect(
        (await values<number>(empty.pool, 'SELECT count(*)::int FROM schema_migrations'))[0],
      ).toBeGreaterThan(5);
    } finally {
      await empty.drop();
    }
  });

  it('print version and help', async () => {
    const { version } = (await import('../../package.json', { with: { type: 'json' } })).default;
    expect(await trunkline(['version'])).toMatchObject({ code: 0, out: expect.stringContaining(version) });
    expect(await trunkline(['help'])).toMatchObject({ code: 0, out: expect.stringContaining('Usage:') });
  });

  it('check whether the service is ready', async () => {
    let status = 200;
    const server = createServer((request, response) => {
      response.statusCode = request.url === '/readyz' ? status : 404;
      response.end(JSON.stringify({ error: 'service_unavailable', message: 'The disk is nearly full.' }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const PORT = String((server.address() as AddressInfo).port);
    const check = (environment: Record<string, string> = {}) =>
      trunkline(['healthcheck'], { PORT, ...environment });
    expect(await check({ HOST: '0.0.0.0' })).toEqual({ code: 0, out: '', err: '' });
    status = 503;
    expect(await check()).toMatchObject({
      code: 1,
      err: expect.stringContaining('The disk is nearly full.'),
    });
    status = 404;
    expect(await check()).toMatchObject({ code: 1, err: expect.stringContaining('is another program') });
    await new Promise((resolve) => server.close(resolve));
    const silent = await check();
    expect([silent.code, silent.err]).toEqual([
      1,
      expect.stringContaining(`No service answers at 127.0.0.1:${PORT}`),
    ]);
  });
});

describe('workspaces create', () => {
  const create = (email: string, input = PASSWORD) =>
    trunkline(['workspaces', 'create', '--name', 'Acme', '--owner-email', email], onDatabase(), input);

  it('creates a workspace with a test workspace and an owner, and prints its id', async () => {
    const { code, out } = await create('bea@b.example');
    expect(code).toBe(0);
    const { rows } = await database.pool.query(
      'SELECT role, operator, workspace_id FROM users WHERE email = $1',
      ['bea@b.example'],
    );
    expect(rows).toEqual([{ role: 'owner', operator: false, workspace_id: out.trim() }]);
    const tests = await database.pool.query('SELECT 1 FROM workspaces WHERE live_workspace_id = $1', [
      out.trim(),
    ]);
    expect(tests.rowCount).toBe(1);
  });

  it('accepts one address for several workspaces, and refuses a malformed address and a short password', async () => {
    const first = await create('cid@c.example');
    const second = await create('CID@c.example');
    expect([first.code, second.code]).toEqual([0, 0]);
    expect(second.out).not.toBe(first.out);
    expect((await create('nobody')).code).toBe(2);
    expect((await create('dee@d.example', 'short')).code).toBe(2);
  });
});

describe('users export', () => {
  const known = (id: string) => trunkline(['users', 'export', id], onDatabase());

  it('prints a line of JSON for each record about a user', async () => {
    const { rows } = await database.pool.query('SELECT id FROM users WHERE email = $1', [EMAIL]);
    const { code, out } = await known(rows[0].id.toUpperCase());
    expect(code).toBe(0);
    const lines = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines[0]).toMatchObject({ kind: 'user', record: { id: rows[0].id, email: EMAIL } });
  });

  it('reports an unknown user, and refuses a malformed id with exit code 2', async () => {
    const nobody = await known('019b76da-a800-7000-8000-000000000001');
    expect([nobody.code, nobody.out]).toEqual([1, '']);
    expect(nobody.err).toContain('There is no user');
    expect((await known('ann@example.test')).code).toBe(2);
  });
});
