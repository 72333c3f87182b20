import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { generateApiKey } from '../../src/core/access/api-key-format.js';
import type { Json } from '../support/api-client.js';
import { CommandHost, type Ended } from '../support/command-line.js';
import { type TestDatabase, testDatabase } from '../support/postgres.js';
import { type Service, startService } from '../support/service.js';

const [FORMER, CURRENT] = [1, 2].map(() => randomBytes(32).toString('base64')) as [string, string];
const key = generateApiKey('live').key;
const host = new CommandHost();
const services: Service[] = [];
let database: TestDatabase;
let folder: string;
let webhook: Json;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trunkline-key-lost-'));
  database = await testDatabase();
});
afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await host.stop();
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

async function start(env: Record<string, string>): Promise<Service> {
  const service = await startService({ key, env: { DATABASE_URL: database.url, ...env } });
  services.push(service);
  return service;
}

function rotate(): Promise<Ended> {
  return host.run(['keys', 'rotate-master'], {
    PATH: process.env.PATH ?? '',
    PORT: '0',
    DATA_DIR: folder,
    DATABASE_URL: database.url,
    TRUNKLINE_MASTER_KEY: CURRENT,
    TRUNKLINE_MASTER_KEY_PREVIOUS: FORMER,
  });
}

it('a rotation ends a process that has only the former key, while one with both keys continues', async () => {
  const old = await start({ TRUNKLINE_MASTER_KEY: FORMER });
  const both = await start({ TRUNKLINE_MASTER_KEY: CURRENT, TRUNKLINE_MASTER_KEY_PREVIOUS: FORMER });
  const body = { url: 'https://receiver.example/hook', events: ['user.created'] };
  webhook = await old.client().must(201, 'POST', '/api/webhooks', body);

  expect(await rotate()).toMatchObject({ code: 0, err: '' });

  await expect.poll(() => old.process.exitCode).toBe(2);
  expect(old.log).toContainEqual(
    expect.objectContaining({
      msg: 'master_key.replaced',
      fix: expect.stringContaining('TRUNKLINE_MASTER_KEY'),
    }),
  );
  const change = { overlap_seconds: 60 };
  const turned = await both.client().must(200, 'POST', `/api/webhooks/${webhook.id}/rotate-secret`, change);
  expect(both.process.exitCode).toBeNull();
  const said = JSON.stringify([old.log, both.log]);
  for (const secret of [FORMER, CURRENT, webhook.secret, turned.secret])
    expect(said).not.toContain(String(secret));
});

it('a second run verifies that every secret can be decrypted, and names one that cannot', async () => {
  const again = await rotate();
  expect(again).toMatchObject({ code: 0, err: '' });
  expect(again.out).toContain('Nothing was changed');
  expect(again.out).toContain('opened with the new key alone: 3');

  await database.pool.query('UPDATE webhooks SET secret = set_byte(secret, 40, get_byte(secret, 40) # 1)');
  const damaged = await rotate();
  expect(damaged.code).toBe(1);
  expect(damaged.err).toContain(`unreadable: webhook ${webhook.id}`);
  expect(damaged.out).not.toContain('Remove TRUNKLINE_MASTER_KEY_PREVIOUS');
});
