import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { TelegramSimulator } from '../../adapters/telegram/simulator/index.js';
import { generateApiKey } from '../../src/core/access/api-key-format.js';
import { eventually, type Json } from '../support/api-client.js';
import { type Service, startService } from '../support/service.js';
import {
  hasOldestPostgres,
  OLDEST_BIN,
  type SystemPostgres,
  startSystemPostgres,
} from '../support/system-postgres.js';

const run = promisify(execFile);
const RECIPIENTS = 100;
const SETTINGS = { fsync: 'off', max_connections: '150' };

const key = generateApiKey('live').key;
const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (let next = cleanups.pop(); next !== undefined; next = cleanups.pop()) await next();
});

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'trunkline-copies-'));
  cleanups.push(() => rm(made, { recursive: true, force: true, maxRetries: 5 }));
  return made;
}

async function server(replicaOf?: SystemPostgres): Promise<SystemPostgres> {
  const options = { settings: SETTINGS, ...(replicaOf && { replicaOf }) };
  const made = await startSystemPostgres(OLDEST_BIN, await folder(), options);
  cleanups.push(() => made.stop());
  return made;
}

async function start(options: { dataDir?: string; env?: Record<string, string> }): Promise<Service> {
  const service = await startService({ key, ...options });
  cleanups.push(() => service.stop());
  return service;
}

const paused = ({ log }: Service) =>
  log.filter(({ msg }) => msg === 'service.paused').map(({ message }) => message);
const readiness = async ({ url }: Service) => (await fetch(`${url}/readyz`)).json() as Promise<Json>;

describe.skipIf(!hasOldestPostgres())('a database that was restored from a dump', () => {
  it('does nothing by itself until it is adopted, while the original continues', async () => {
    const postgres = await server();
    const telegram = new TelegramSimulator();
    await telegram.start();
    cleanups.push(() => telegram.stop());
    await postgres.admin('CREATE DATABASE original OWNER trunkline');
    await postgres.admin('CREATE DATABASE restored OWNER trunkline');
    const TRUNKLINE_MASTER_KEY = randomBytes(32).toString('base64');
    const env = (database: string) => ({ DATABASE_URL: postgres.url(database), TRUNKLINE_MASTER_KEY });
    const original = await start({ env: env('original') });
    const api = original.client();
    const connection = await api.must(201, 'POST', '/openapi/platforms/telegram/connections', {
      name: 'Telegram',
      ...telegram.account(),
      settings: { ...(telegram.account() as { settings?: object }).settings, rate_per_second: 10 },
    });
    await eventually(
      () => api.must(200, 'GET', `/openapi/platforms/connections/${connection.id}`),
      ({ status }) => status === 'connected',
    );
    const recipients = Array.from({ length: RECIPIENTS }, (_, n) => ({
      platform: 'telegram',
      address: telegram.address(20_000 + n),
    }));
    const broadcast = await api.must(201, 'POST', '/openapi/broadcasts', {
      text: 'Once',
      audience: { recipients },
    });
    const sent = () => telegram.ledger.entries('sendMessage').filter(({ committed }) => committed);
    await eventually(
      async () => sent().length,
      (count) => count >= 10,
    );

    const dump = join(await folder(), 'dump');
    const host = String(postgres.connection.host);
    for (const [program, ...args] of [
      ['pg_dump', '-h', host, '-U', 'trunkline', '-Fc', '-f', dump, 'original'],
      ['pg_restore', '-h', host, '-U', 'trunkline', '-d', 'restored', dump],
    ] as const) {
      // The simulator runs in this process. A blocking call would let its idle connections time out.
      expect(await run(join(OLDEST_BIN, program), args)).toMatchObject({ stderr: '' });
    }
    const restored = await start({ env: env('restored') });
    const copy = restored.client();
    const copied = await copy.must(200, 'GET', `/openapi/broadcasts/${broadcast.id}`);
    expect((copied.counts as { sent: number }).sent).toBeLessThan(RECIPIENTS);
    expect(paused(restored)).toEqual([expect.stringMatching(/looks like a copy: .*trunkline resume/)]);
    expect(await readiness(restored)).toMatchObject({
      status: 'ok',
      paused: true,
      message: paused(restored)[0],
    });
    const status = await copy.must(200, 'GET', '/openapi/status');
    expect(status).toMatchObject({
      status: 'maintenance',
      components: expect.arrayContaining([
        expect.objectContaining({ name: 'queue', status: 'maintenance', message: paused(restored)[0] }),
      ]),
    });
    const hook = await fetch(`${restored.url}/hooks/telegram/${connection.id}`, {
      method: 'POST',
      body: '{}',
    });
    expect(hook.status).toBe(503);
    const links = [{ connection_id: connection.id, external_id: telegram.address(30_000) }];
    const room = await copy.must(201, 'POST', '/openapi/conversations', { links });
    const said = await copy.must(201, 'POST', '/openapi/messages', {
      conversation_id: room.id,
      text: 'Here',
    });

    const { counts } = await eventually(
      () => api.must(200, 'GET', `/openapi/broadcasts/${broadcast.id}`),
      (record) => record.status === 'completed',
    );
    expect(counts).toMatchObject({ total: RECIPIENTS, sent: RECIPIENTS });
    const chats = sent().map(({ chatId }) => chatId);
    expect([...new Set(chats)]).toHaveLength(RECIPIENTS);
    expect(chats).toHaveLength(RECIPIENTS);
    expect(telegram.ledger.entries('getUpdates').filter((entry) => entry.status === 409)).toEqual([]);
    const waiting = await copy.must(200, 'GET', `/openapi/messages/${said.id}`);
    expect(waiting).toMatchObject({ deliveries: [{ status: 'queued' }] });
    expect(await original.stop()).toBe(0);

    await restored.run('resume');
    await eventually(
      async () => sent().map(({ chatId }) => chatId),
      (all) => all.includes(telegram.address(30_000)),
    );
    expect(await readiness(restored)).toEqual({ status: 'ok' });
    await restored.stop();
    expect(paused(await start({ env: env('restored') }))).toEqual([]);
  });

  it('is not mistaken for a copy when it is a promoted replica', async () => {
    const primary = await server();
    await primary.admin('CREATE DATABASE bridge OWNER trunkline');
    const TRUNKLINE_MASTER_KEY = randomBytes(32).toString('base64');
    const before = await start({ env: { DATABASE_URL: primary.url('bridge'), TRUNKLINE_MASTER_KEY } });
    await before.stop();
    const standby = await server(primary);
    const after = await start({ env: { DATABASE_URL: standby.url('bridge'), TRUNKLINE_MASTER_KEY } });
    expect(paused(after)).toEqual([]);
    await after.stop();
    await standby.admin('CREATE DATABASE cloned OWNER trunkline TEMPLATE bridge');
    const cloned = await start({ env: { DATABASE_URL: standby.url('cloned'), TRUNKLINE_MASTER_KEY } });
    expect(paused(cloned)).toEqual([expect.stringContaining('it is another database')]);
  });
});

describe('an embedded database', () => {
  it('is paused when its files were copied, and not when its folder was moved', async () => {
    const root = await folder();
    const [first, moved, copied] = ['first', 'moved', 'copied'].map((name) => join(root, name)) as [
      string,
      string,
      string,
    ];
    await (await start({ dataDir: first })).stop();
    await cp(first, copied, { recursive: true, preserveTimestamps: true });
    await rename(first, moved);
    const original = await start({ dataDir: moved });
    expect(paused(original)).toEqual([]);

    const copy = await start({ dataDir: copied });
    expect(paused(copy)).toEqual([expect.stringContaining('its files were copied')]);
    await copy.stop();
    const adopted = await start({ dataDir: copied, env: { TRUNKLINE_PAUSED: '0' } });
    expect(paused(adopted)).toEqual([]);
    await adopted.stop();
    expect(paused(await start({ dataDir: copied }))).toEqual([]);
  }, 600_000);

  it('can be started paused, and resumes without a restart', async () => {
    const service = await start({ dataDir: await folder(), env: { TRUNKLINE_PAUSED: '1' } });
    expect(paused(service)).toEqual([expect.stringContaining('Paused by TRUNKLINE_PAUSED.')]);
    await service.run('resume');
    await eventually(
      () => readiness(service),
      (ready) => ready.paused === undefined,
    );
    // The line comes through a pipe and may be read after the response.
    const resumed = async () => service.log.filter(({ msg }) => msg === 'service.resumed');
    expect(await eventually(resumed, (lines) => lines.length > 0)).toHaveLength(1);
  });
});
