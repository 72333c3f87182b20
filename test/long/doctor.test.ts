import { chmod, chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Finding } from '../../src/cli/doctor/finding.js';
import { startEmbeddedPostgres } from '../../src/store/embedded/start.js';
import { CommandHost, runProgram } from '../support/command-line.js';
import { type ForwardingFront, forwardingFront } from '../support/forwarding-front.js';
import { freePort } from '../support/free-port.js';
import { silentLog } from '../support/log.js';
import { type TestDatabase, testDatabase } from '../support/postgres.js';
import { addressOf, asAdmin } from '../support/postgres-server.js';
import { hasRedis, startRedis } from '../support/redis.js';
import { type Service, startService } from '../support/service.js';
import { StandIn } from '../support/stand-in.js';
import { tlsFront } from '../support/tls-front.js';

interface Report {
  readonly code: number | null;
  readonly out: string;
  readonly findings: readonly Finding[];
  /** Findings other than `ok`, without the free space of the machine that runs the tests. */
  readonly bad: readonly Finding[];
}

let host: CommandHost;
let folder: string;

beforeAll(async () => {
  host = new CommandHost();
  folder = await mkdtemp(join(tmpdir(), 'trunkline-doctor-'));
});
afterAll(async () => {
  await host.stop();
  await rm(folder, { recursive: true, force: true });
});

const basic = () => ({
  PATH: process.env.PATH ?? '',
  HOME: process.env.HOME ?? '',
  DATA_DIR: folder,
  PORT: '1',
});

function read({ code, out }: { code: number | null; out: string }): Report {
  const { findings } = JSON.parse(out) as { findings: Finding[] };
  const bad = findings.filter(({ level, check }) => level !== 'ok' && check !== 'Disk');
  return { code, out, findings, bad };
}

/** Runs the command in the process of the host. */
async function doctor(environment: Readonly<Record<string, string>>): Promise<Report> {
  return read(await host.run(['doctor', '--json'], { ...basic(), ...environment }));
}

/** Runs it as a separate process that trusts the certificate. */
async function trusting(certificate: string, environment: Readonly<Record<string, string>>): Promise<Report> {
  const file = join(folder, 'authority.pem');
  await writeFile(file, certificate);
  const env = { ...basic(), NODE_EXTRA_CA_CERTS: file, ...environment };
  return read(await runProgram(['doctor', '--json'], { env }));
}

const finding = (level: Finding['level'], check: string, found: RegExp) =>
  expect.objectContaining({
    level,
    check,
    found: expect.stringMatching(found),
    fix: level === 'ok' ? null : expect.stringMatching(/\S/),
  });

describe('a healthy installation', () => {
  let dataDir: string;
  let port: number;
  let front: ForwardingFront;
  let service: Service;
  let own: Record<string, string>;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'trunkline-doctor-own-'));
    port = await freePort();
    front = await forwardingFront(() => port);
    own = {
      DATA_DIR: dataDir,
      PORT: String(port),
      PUBLIC_URL: front.url,
      TRUST_PROXY: '127.0.0.1/32,::1/128',
    };
    service = await startService({
      dataDir,
      port,
      env: { PUBLIC_URL: front.url, TRUST_PROXY: own.TRUST_PROXY ?? '' },
    });
  });
  afterAll(async () => {
    await service.stop();
    await front.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('with its embedded database has no warning and no problem, and the exit code is 0', async () => {
    const report = await trusting(front.certificate, own);
    expect(report.bad).toEqual([]);
    expect(report.code).toBe(0);
    const checks = report.findings.map(({ check }) => check);
    for (const name of [
      'PostgreSQL',
      'Durability',
      'Time limits',
      'Connections',
      'Clock',
      'Migrations',
      'Master key',
    ])
      expect(checks).toContain(name);
    for (const name of ['Queue', 'Webhooks', 'Calls', 'Redis', 'Service', 'PUBLIC_URL', 'Proxy headers'])
      expect(checks).toContain(name);
  });

  it('is printed as a list with a sign and a word for each finding', async () => {
    const { out } = await host.run(['doctor'], { ...basic(), DATA_DIR: dataDir, PORT: String(port) });
    expect(out).toMatch(/^✓ ok {7}PostgreSQL: PostgreSQL \d+/m);
    expect(out).toMatch(/^! warning {2}PUBLIC_URL: It is not set.*\n {11}Fix: Set PUBLIC_URL/m);
    expect(out).toMatch(/\d+ ok, 1 warning, 0 problems\.\n$/);
  });

  it('with a certificate that is not trusted cannot be reached over TLS', async () => {
    const { code, bad } = await doctor(own);
    expect([code, bad]).toEqual([1, [finding('problem', 'PUBLIC_URL', /certificate/)]]);
  });

  it('is not confused with another server under its public address', async () => {
    const other = new StandIn();
    const url = await other.start();
    other.will({ status: 200, json: { status: 'ok', installation: { proof: 'x', forwarding: 'trusted' } } });
    try {
      const { code, bad } = await doctor({ ...own, PUBLIC_URL: url });
      expect(code).toBe(1);
      expect(bad).toContainEqual(finding('problem', 'PUBLIC_URL', /not from this installation/));
      const [asked] = other.asked;
      expect([asked?.method, asked?.url]).toEqual(['GET', '/healthz']);
    } finally {
      await other.stop();
    }
  });

  it('with a master key of another installation is not recognised, and its secrets cannot be read', async () => {
    const key = Buffer.alloc(32, 7).toString('base64');
    const { code, bad, out } = await trusting(front.certificate, { ...own, TRUNKLINE_MASTER_KEY: key });
    expect(code).toBe(1);
    expect(bad).toEqual([
      finding('problem', 'Master key', /not the key of this database/),
      finding('problem', 'PUBLIC_URL', /not from this installation/),
    ]);
    expect(out).not.toContain(key);
  });

  it('whose key file others can read has a problem', async () => {
    await chmod(join(dataDir, 'master.key'), 0o644);
    try {
      const { code, bad } = await trusting(front.certificate, own);
      expect([code, bad]).toEqual([1, [finding('problem', 'DATA_DIR', /master\.key \(mode 644\)/)]]);
    } finally {
      await chmod(join(dataDir, 'master.key'), 0o600);
    }
  });

  it('whose folder every user can write has a problem', async () => {
    await chmod(dataDir, 0o777);
    try {
      expect((await trusting(front.certificate, own)).bad).toEqual([
        finding('problem', 'DATA_DIR', /Every user of this machine can write/),
      ]);
    } finally {
      await chmod(dataDir, 0o700);
    }
  });

  it('answers no challenge that was made without its master key', async () => {
    const headers = { 'trunkline-challenge': `${'0'.repeat(32)}.${'0'.repeat(64)}` };
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`, { headers });
    expect(await answer.json()).toEqual({ status: 'ok' });
  });
});

describe('a misconfigured service', () => {
  let database: TestDatabase;
  let port: number;
  let front: ForwardingFront;
  let service: Service;
  let own: Record<string, string>;

  beforeAll(async () => {
    database = await testDatabase();
    port = await freePort();
    front = await forwardingFront(() => port);
    const TRUNKLINE_MASTER_KEY = Buffer.alloc(32, 3).toString('base64');
    const shared = { DATABASE_URL: database.url, TRUNKLINE_MASTER_KEY, PUBLIC_URL: front.url };
    service = await startService({ port, env: shared });
    own = { ...shared, DATA_DIR: service.dataDir, PORT: String(port) };
  });
  afterAll(async () => {
    await service.stop();
    await front.close();
    await database.drop();
  });

  it('behind a proxy that TRUST_PROXY does not name has a problem', async () => {
    expect((await trusting(front.certificate, own)).bad).toContainEqual(
      finding('problem', 'Proxy headers', /TRUST_PROXY does not name it/),
    );
  });

  it('behind a proxy that does not name its client has a warning', async () => {
    const silent = await tlsFront(port);
    try {
      const { bad } = await trusting(silent.certificate, { ...own, PUBLIC_URL: silent.url });
      expect(bad).toContainEqual(finding('warning', 'Proxy headers', /does not send X-Forwarded-For/));
    } finally {
      await silent.close();
    }
  });

  it('that trusts every address has a problem', async () => {
    expect((await doctor({ ...own, TRUST_PROXY: '0.0.0.0/0' })).bad).toContainEqual(
      finding('problem', 'Proxy headers', /every address \(0\.0\.0\.0\/0\)/),
    );
  });

  it('with a token that the platform refuses names the connection, the workspace and the fix', async () => {
    const telegram = new StandIn();
    const url = await telegram.start();
    telegram.will({ status: 401, json: { ok: false, error_code: 401, description: 'Unauthorized' } });
    try {
      await service.client().must(201, 'POST', '/openapi/platforms/telegram/connections', {
        name: 'Support\u001b[31m bot',
        credentials: { bot_token: '123456:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' },
        settings: { api_base_url: url },
      });
      await expect
        .poll(async () => (await doctor(own)).bad, { timeout: 30_000 })
        .toContainEqual(finding('problem', 'Connection telegram', /^"Support \[31m bot" of ".+" is error: /));
      const { out } = await doctor(own);
      expect(out).not.toContain('AAAAAAAA');
    } finally {
      await telegram.stop();
    }
  });

  it('with a webhook that was disabled names it without its path', async () => {
    const receiver = new StandIn();
    const url = await receiver.start();
    receiver.will({ status: 410 });
    try {
      const { id } = await service.client().must(201, 'POST', '/api/webhooks', {
        url: `${url}/hidden-path`,
        events: ['user.created'],
      });
      await service.client().must(201, 'POST', '/openapi/users', { display_name: 'Grace' });
      await expect
        .poll(async () => (await doctor(own)).bad, { timeout: 30_000 })
        .toContainEqual(finding('warning', 'Webhooks', new RegExp(`^${id} .*disabled \\(gone\\)`)));
      expect((await doctor(own)).out).not.toContain('hidden-path');
    } finally {
      await receiver.stop();
    }
  });

  it('whose secrets were altered names the secret that cannot be read', async () => {
    const { rows } = await database.pool.query('SELECT id, secret FROM webhooks LIMIT 1');
    const secret = Buffer.from(rows[0].secret);
    secret[secret.length - 1] = (secret.at(-1) ?? 0) ^ 1;
    await database.pool.query('UPDATE webhooks SET secret = $2 WHERE id = $1', [rows[0].id, secret]);
    try {
      expect((await doctor(own)).bad).toContainEqual(
        finding('problem', 'Master key', new RegExp(`1 of \\d+ stored secrets.*webhook ${rows[0].id}`)),
      );
    } finally {
      await database.pool.query('UPDATE webhooks SET secret = $2 WHERE id = $1', [
        rows[0].id,
        rows[0].secret,
      ]);
    }
  });

  it('whose calls have no TURN server has a warning, and none once a TURN server is configured', async () => {
    const api = service.client();
    const user = await api.must(201, 'POST', '/openapi/users', { display_name: 'Ada' });
    await api.must(201, 'POST', '/openapi/calls', { participant_ids: [user.id] });
    expect((await doctor(own)).bad).toContainEqual(finding('warning', 'Calls', /no TURN server/));
    const turn = { TURN_URLS: 'turns:turn.example:5349', TURN_SECRET: 'north' };
    expect((await doctor({ ...own, ...turn })).findings).toContainEqual(
      finding('ok', 'Calls', /TURN is configured/),
    );
  });

  it('that is paused has a warning', async () => {
    const at = await freePort();
    const paused = await startService({ port: at, env: { ...own, PORT: String(at), TRUNKLINE_PAUSED: '1' } });
    try {
      expect((await doctor({ ...own, PORT: String(at) })).bad).toContainEqual(
        finding('warning', 'Service', /paused/),
      );
    } finally {
      await paused.stop();
    }
  });
});

describe('a public address', () => {
  it.each([
    ['that does not resolve', 'https://nothing.invalid', /does not resolve/],
    ['where nothing answers', 'https://127.0.0.1:1', /cannot be reached/],
    ['without encryption', 'http://bridge.invalid', /not encrypted/],
  ])('%s is a problem', async (_what, PUBLIC_URL, found) => {
    const { code, bad } = await doctor({ PUBLIC_URL });
    expect(code).toBe(1);
    expect(bad).toContainEqual(finding('problem', 'PUBLIC_URL', found));
  });

  it('whose proxy does not reach the service is a problem', async () => {
    const proxy = new StandIn();
    const url = await proxy.start();
    proxy.will({ status: 502, json: {} });
    try {
      expect((await doctor({ PUBLIC_URL: url })).bad).toContainEqual(
        finding('problem', 'PUBLIC_URL', /answers 502: the proxy does not reach/),
      );
    } finally {
      await proxy.stop();
    }
  });
});

describe('a database', () => {
  let database: TestDatabase;
  let own: Record<string, string>;

  beforeAll(async () => {
    database = await testDatabase();
    own = { DATABASE_URL: database.url };
  });
  afterAll(() => database.drop());

  it('that cannot be reached is a problem, without its password', async () => {
    const { code, bad, out } = await doctor({ DATABASE_URL: 'postgres://ann:hunter2@127.0.0.1:1/trunkline' });
    expect(code).toBe(1);
    expect(bad).toContainEqual(finding('problem', 'PostgreSQL', /127\.0\.0\.1:1\/trunkline/));
    expect(out).not.toContain('hunter2');
  });

  it('without tables is a warning, and is not migrated', async () => {
    const empty = await testDatabase({ empty: true });
    try {
      expect((await doctor({ DATABASE_URL: empty.url })).bad).toContainEqual(
        finding('warning', 'Migrations', /is empty/),
      );
      const { rows } = await empty.pool.query("SELECT to_regclass('schema_migrations') AS found");
      expect(rows).toEqual([{ found: null }]);
    } finally {
      await empty.drop();
    }
  });

  it('with a schema file that has not run is a problem', async () => {
    const { rows } = await database.pool.query(
      'DELETE FROM schema_migrations WHERE version = (SELECT max(version) FROM schema_migrations) RETURNING *',
    );
    try {
      expect((await doctor(own)).bad).toContainEqual(
        finding('problem', 'Migrations', new RegExp(`1 of \\d+ schema files.*${rows[0].name}`)),
      );
    } finally {
      const { version, name, works_from, checksum, release, functions } = rows[0];
      await database.pool.query(
        `INSERT INTO schema_migrations (version, name, works_from, checksum, release, functions)
         VALUES ($1, $2, $3, $4, $5, $6)`,
        [version, name, works_from, checksum, release, JSON.stringify(functions)],
      );
    }
  });

  it('with the functions of another version is a warning', async () => {
    const { rows } = await database.pool.query(
      'SELECT functions FROM schema_migrations ORDER BY version DESC LIMIT 1',
    );
    const set = (functions: unknown) =>
      database.pool.query(
        'UPDATE schema_migrations SET functions = $1 WHERE version = (SELECT max(version) FROM schema_migrations)',
        [JSON.stringify(functions)],
      );
    await set({ ...rows[0].functions, checksum: 'other', release: '9.9.9' });
    try {
      expect((await doctor(own)).bad).toContainEqual(
        finding('warning', 'Migrations', /functions are those of version 9\.9\.9/),
      );
    } finally {
      await set(rows[0].functions);
    }
  });

  it('whose clock differs from that of this machine is a problem', async () => {
    const name = String(database.connection.database);
    await database.pool.query(
      `CREATE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql
       AS $$ SELECT pg_catalog.clock_timestamp() - interval '95 seconds' $$`,
    );
    await asAdmin(
      String(database.connection.host),
      `ALTER DATABASE ${name} SET search_path = public, pg_catalog`,
    );
    try {
      expect((await doctor(own)).bad).toContainEqual(finding('problem', 'Clock', /differ by 9\d\.\d s/));
    } finally {
      await asAdmin(String(database.connection.host), `ALTER DATABASE ${name} RESET search_path`);
      await database.pool.query('DROP FUNCTION public.clock_timestamp()');
    }
  });

  it('that allows fewer connections than the pools of a process is a problem', async () => {
    const name = String(database.connection.database);
    await asAdmin(String(database.connection.host), `ALTER DATABASE ${name} CONNECTION LIMIT 30`);
    try {
      expect((await doctor(own)).bad).toContainEqual(
        finding('problem', 'Connections', /limited to 30 connections/),
      );
    } finally {
      await asAdmin(String(database.connection.host), `ALTER DATABASE ${name} CONNECTION LIMIT -1`);
    }
  });

  it('in which a job has waited for a long time is a problem', async () => {
    await database.pool.query(
      "INSERT INTO outbox (topic, payload, created_at) VALUES ('inbound', '{}', now() - interval '20 minutes')",
    );
    try {
      expect((await doctor(own)).bad).toContainEqual(
        finding('problem', 'Queue', /job has waited for 12\d\d s/),
      );
    } finally {
      await database.pool.query('DELETE FROM outbox');
    }
  });

  it('on a server with dangerous settings is a problem or a warning for each of them', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'trunkline-doctor-server-'));
    const settings = {
      fsync: 'off',
      full_page_writes: 'off',
      autovacuum: 'off',
      max_connections: '20',
      idle_session_timeout: '60000',
    };
    const server = await startEmbeddedPostgres({ dataDir, log: silentLog, settings, trustClients: true });
    try {
      const { connection } = server;
      const url = addressOf(String(connection.host), String(connection.database));
      const { code, bad } = await doctor({ DATABASE_URL: url });
      expect(code).toBe(1);
      expect(bad).toContainEqual(finding('problem', 'Durability', /^fsync is off/));
      expect(bad).toContainEqual(finding('warning', 'Durability', /^full_page_writes is off/));
      expect(bad).toContainEqual(finding('warning', 'Durability', /^autovacuum is off/));
      expect(bad).toContainEqual(finding('warning', 'Time limits', /^idle_session_timeout is 60000 ms/));
      expect(bad).toContainEqual(finding('problem', 'Connections', /allows \d+ connections/));
    } finally {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});

describe('DATA_DIR', () => {
  it('that is not a folder is a problem', async () => {
    const file = join(folder, 'a-file');
    await writeFile(file, '', { mode: 0o600 });
    expect((await doctor({ DATA_DIR: file })).bad).toContainEqual(
      finding('problem', 'DATA_DIR', /cannot be used/),
    );
  });

  // Only root can give a folder to another user.
  it.runIf(process.getuid?.() === 0)(
    'of another user whose embedded database does not run is a warning, and keeps its owner',
    async () => {
      const own = await mkdtemp(join(tmpdir(), 'trunkline-doctor-owner-'));
      const server = await startEmbeddedPostgres({ dataDir: own, log: silentLog });
      await server.stop();
      const owner = (await stat(join(own, 'postgres', 'data'))).uid;
      await chown(own, 12_345, 12_345);
      try {
        expect((await doctor({ DATA_DIR: own })).bad).toContainEqual(
          finding('warning', 'PostgreSQL', /belongs to another user/),
        );
        expect((await stat(join(own, 'postgres', 'data'))).uid).toBe(owner);
      } finally {
        await rm(own, { recursive: true, force: true });
      }
    },
  );

  it('with a broken key file is a problem that does not repeat its content', async () => {
    const own = await mkdtemp(join(tmpdir(), 'trunkline-doctor-key-'));
    await writeFile(join(own, 'master.key'), 'not-a-key\n', { mode: 0o600 });
    try {
      const { bad, out } = await doctor({ DATA_DIR: own });
      expect(bad).toContainEqual(finding('problem', 'Master key', /32 bytes in base64/));
      expect(out).not.toContain('not-a-key');
    } finally {
      await rm(own, { recursive: true, force: true });
    }
  });
});

describe.runIf(hasRedis())('Redis', () => {
  it('is fine if it answers and evicts nothing, and is reported if it evicts jobs, is a replica or is unreachable', async () => {
    const redis = await startRedis();
    try {
      const REDIS_URL = redis.url.replace('redis://', 'redis://:hunter2@');
      expect((await doctor({ REDIS_URL: redis.url })).findings).toContainEqual(
        finding('ok', 'Redis', /answers and evicts nothing/),
      );
      await redis.client.config('SET', 'maxmemory-policy', 'allkeys-lru');
      expect((await doctor({ REDIS_URL: redis.url })).bad).toContainEqual(
        finding('warning', 'Redis', /maxmemory-policy is allkeys-lru/),
      );
      await redis.client.call('REPLICAOF', '127.0.0.1', '1');
      expect((await doctor({ REDIS_URL: redis.url })).bad).toContainEqual(
        finding('problem', 'Redis', /replica/),
      );
      await redis.kill();
      const { code, bad, out } = await doctor({ REDIS_URL });
      expect(code).toBe(1);
      expect(bad).toContainEqual(finding('problem', 'Redis', /Can't reach Redis/));
      expect(out).not.toContain('hunter2');
    } finally {
      await redis.stop();
    }
  });
});
