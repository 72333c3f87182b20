import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { Json } from '../support/api-client.js';
import { startOldPostgres } from '../support/old-postgres.js';
import { testDatabase } from '../support/postgres.js';
import { asAdmin } from '../support/postgres-server.js';
import { type Service, startService } from '../support/service.js';
import { startProgram } from '../support/service-process.js';
import { waitFor } from '../support/wait-for.js';

let service: Service | undefined;

afterEach(() => service?.kill());

const readiness = async () => {
  const answer = await fetch(`${service?.url}/readyz`, { headers: { connection: 'close' } });
  return { status: answer.status, body: (await answer.json()) as Json };
};

it('a stopping service reports that it is not ready, but still serves requests', async () => {
  service = await startService({ env: { DRAIN_NOTICE_SECONDS: '3' } });
  expect(await readiness()).toMatchObject({ status: 200 });
  service.process.kill('SIGTERM');
  await waitFor(async () =>
    expect(await readiness()).toMatchObject({
      status: 503,
      body: { error: 'service_unavailable', details: { reason: 'draining' } },
    }),
  );
  const answer = await fetch(`${service.url}/v1/openapi/users`, { headers: { 'x-api-key': service.key } });
  expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
  expect(await service.stop()).toBe(0);
});

it.runIf(process.getuid?.() === 0)(
  'a service run by root is not ready while its disk is nearly full',
  async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'trunkline-disk-'));
    const database = await testDatabase();
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=96m', 'tmpfs', dataDir]);
    try {
      service = await startService({ dataDir, env: { DATABASE_URL: database.url } });
      expect(await readiness()).toMatchObject({ status: 200 });
      await writeFile(join(dataDir, 'ballast'), Buffer.alloc(48 * 2 ** 20));
      const { status, body } = await readiness();
      expect([status, body]).toMatchObject([
        503,
        { error: 'service_unavailable', details: { reason: 'database' } },
      ]);
      expect(body.message).toMatch(/^The disk of DATA_DIR is nearly full: 4\d MiB are free/);
      await rm(join(dataDir, 'ballast'));
      expect(await readiness()).toMatchObject({ status: 200 });
      expect(await service.stop()).toBe(0);
    } finally {
      await service?.kill();
      execFileSync('umount', ['--lazy', dataDir]);
      await rm(dataDir, { recursive: true });
      await database.drop();
    }
  },
);

it('a service is not ready while its database refuses new connections', async () => {
  const database = await testDatabase();
  service = await startService({ env: { DATABASE_URL: database.url } });
  expect(await readiness()).toMatchObject({ status: 200 });
  const allow = (allowed: boolean) =>
    asAdmin(
      String(database.connection.host),
      `ALTER DATABASE ${database.connection.database} ALLOW_CONNECTIONS ${allowed}`,
    );
  await allow(false);
  await waitFor(async () =>
    expect(await readiness()).toMatchObject({ status: 503, body: { details: { reason: 'database' } } }),
  );
  // A request that needs a new connection does not fail with 500.
  const asked = await fetch(`${service.url}/v1/openapi/users`, { headers: { 'x-api-key': service.key } });
  expect([200, 503]).toContain(asked.status);
  await allow(true);
  await waitFor(async () => expect(await readiness()).toMatchObject({ status: 200 }));
  expect(await service.stop()).toBe(0);
  await database.drop();
});

it('a service whose embedded database gets a SIGTERM answers 503 until the database runs again, and loses no message', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'trunkline-sigterm-'));
  service = await startService({ dataDir });
  const { log } = service;
  const api = service.client();
  const { id } = await api.must(201, 'POST', '/openapi/conversations', { participant_ids: [] });
  const pidFile = await readFile(join(dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8');
  process.kill(Number(pidFile.split('\n')[0]), 'SIGTERM');
  const statuses = new Set<number>();
  const texts: string[] = [];
  const runsAgain = () => log.some(({ msg }) => msg === 'database.restarted');
  for (let last = false; !last; ) {
    last = runsAgain();
    const text = `message ${texts.length}`;
    await waitFor(async () => {
      const headers = { 'idempotency-key': text };
      const { status } = await api.post('/openapi/messages', { conversation_id: id, text }, { headers });
      statuses.add(status);
      expect(status).toBe(201);
    });
    texts.push(text);
  }
  expect([201, 503]).toEqual(expect.arrayContaining([...statuses]));
  const stored = await api.get<{ meta: Json }>(`/openapi/messages?filter=conversation_id:${id}&page=1`);
  expect(stored.body.meta.total_items).toBe(texts.length);
  await waitFor(async () => expect(await readiness()).toMatchObject({ status: 200 }));
  expect(await service.stop()).toBe(0);
  await rm(dataDir, { recursive: true });
});

it('a service with a permissive umask creates nothing that other users may change, and no file that they may read', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'trunkline-umask-'));
  const dataDir = join(parent, 'a', 'data');
  const umask = process.umask(0);
  try {
    service = await startService({ dataDir });
  } finally {
    process.umask(umask);
  }
  const form = new FormData();
  form.append('file', new Blob(['a file']), 'a.txt');
  const sent = await fetch(`${service.url}/v1/openapi/attachments`, {
    method: 'POST',
    headers: { 'x-api-key': service.key },
    body: form,
  });
  expect(sent.status).toBe(201);
  const found = (...test: string[]) =>
    execFileSync('find', [join(parent, 'a'), ...test], { encoding: 'utf8' })
      .split('\n')
      .filter(Boolean);
  expect(found('-not', '-type', 'l', '-perm', '/022')).toEqual([]);
  // The embedded database may run as another user, so it can read its rules and who started it.
  const shown = /\/postgres\/(?:owner\.json|pg_hba\.conf\.\d+)$/;
  expect(found('-type', 'f', '-perm', '/044').filter((path) => !shown.test(path))).toEqual([]);
  expect(await service.stop()).toBe(0);
  await rm(parent, { recursive: true });
});

it('the last use of a key before a stop is stored', async () => {
  const database = await testDatabase();
  service = await startService({ env: { DATABASE_URL: database.url } });
  const used = Date.now();
  expect((await service.client().get('/openapi/status')).status).toBe(200);
  expect(await service.stop()).toBe(0);
  const { rows } = await database.pool.query<{ last_used_at: Date | null }>(
    'SELECT last_used_at FROM api_keys',
  );
  expect(Number(rows[0]?.last_used_at)).toBeGreaterThan(used - 1_000);
  await database.drop();
});

it('a service that is stopped while it waits for its database exits with 0', async () => {
  const sockets: Socket[] = [];
  const mute = createServer((socket) => sockets.push(socket));
  await once(mute.listen(0, '127.0.0.1'), 'listening');
  const { port } = mute.address() as AddressInfo;
  const { PATH } = process.env;
  const { child, exited } = startProgram({ PATH, DATABASE_URL: `postgres://user@127.0.0.1:${port}/any` });
  await once(mute, 'connection');
  child.kill('SIGTERM');
  expect(await exited).toBe(0);
  for (const socket of sockets) socket.destroy();
  mute.close();
});

it('a service whose PostgreSQL is older than the oldest supported version exits with code 3', async () => {
  const server = await startOldPostgres(140_012);
  const { PATH } = process.env;
  const { exited } = startProgram({ PATH, DATABASE_URL: `postgres://user@127.0.0.1:${server.port}/any` });
  expect(await exited).toBe(3);
  await server.close();
});
