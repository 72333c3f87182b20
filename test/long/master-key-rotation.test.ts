import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v7 as uuid7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TelegramSimulator } from '../../adapters/telegram/simulator/index.js';
import { generateApiKey } from '../../src/core/access/api-key-format.js';
import { verifySignature } from '../../src/core/webhooks/signature.js';
import { AesSecretBox } from '../../src/store/secrets/secret-box.js';
import type { Json } from '../support/api-client.js';
import { CommandHost, type Ended } from '../support/command-line.js';
import { values } from '../support/people.js';
import { type TestDatabase, testDatabase } from '../support/postgres.js';
import { madeByFormerRelease } from '../support/sealed-webhooks.js';
import { type Service, startService } from '../support/service.js';
import { PROGRAM } from '../support/service-process.js';
import { StandIn } from '../support/stand-in.js';

const [FORMER, CURRENT, LAST, FOREIGN] = Array.from({ length: 4 }, () => randomBytes(32)) as Buffer[] as [
  Buffer,
  Buffer,
  Buffer,
  Buffer,
];
const text = (key: Buffer) => key.toString('base64');
const HEADER = 'receiver-secret-4711';
const key = generateApiKey('live').key;

const host = new CommandHost();
const telegram = new TelegramSimulator();
const receiver = new StandIn();
const running = new Set<Service>();
const logs: string[] = [];
let database: TestDatabase;
let receiverUrl: string;
let folder: string;

/** The environment of a process or a command with these keys. */
const knowing = (current: Buffer, previous?: Buffer): Record<string, string> => ({
  DATABASE_URL: database.url,
  TRUNKLINE_MASTER_KEY: text(current),
  ...(previous && { TRUNKLINE_MASTER_KEY_PREVIOUS: text(previous) }),
});

async function start(current: Buffer, previous?: Buffer): Promise<Service> {
  const service = await startService({ key, env: knowing(current, previous) });
  running.add(service);
  return service;
}

async function stop(service: Service): Promise<void> {
  running.delete(service);
  await service.stop();
  logs.push(JSON.stringify(service.log));
}

async function command(args: readonly string[], current: Buffer, previous?: Buffer): Promise<Ended> {
  const ended = await host.run(args, {
    PATH: process.env.PATH ?? '',
    PORT: '0',
    DATA_DIR: folder,
    ...knowing(current, previous),
  });
  logs.push(ended.out, ended.err);
  return ended;
}

const rotate = (current: Buffer, previous?: Buffer) => command(['keys', 'rotate-master'], current, previous);

/** The key ids in the sealed values of the tables: of a master key, or of the key of a workspace. */
async function sealedUnder(): Promise<string[]> {
  return values<string>(
    database.pool,
    `SELECT encode(substring(sealed FOR 8 FROM 2), 'hex') FROM (
       SELECT credentials AS sealed FROM connections UNION ALL SELECT secret FROM webhooks
       UNION ALL SELECT previous_secret FROM webhooks UNION ALL SELECT headers FROM webhooks
       UNION ALL SELECT secret FROM second_steps
       UNION ALL SELECT decode(body->'$sealed'->>'secret', 'base64') FROM idempotency_keys
         WHERE body->'$sealed' IS NOT NULL) v WHERE sealed IS NOT NULL`,
  );
}

/** The number of values that are sealed with a master key directly, as in a former release. */
async function derivedFrom(master: Buffer): Promise<number> {
  const id = new AesSecretBox(master).keyId.toString('hex');
  return (await sealedUnder()).filter((each) => each === id).length;
}

const keysUnder = async (master: Buffer): Promise<number> => {
  const { wrappingId } = new AesSecretBox(master);
  const found = await values(database.pool, 'SELECT key_id FROM workspace_keys WHERE master_key = $1', [
    wrappingId,
  ]);
  return found.length;
};

const hook = (url = `${receiverUrl}/hook`) => ({
  url,
  events: ['user.created'],
  headers: { 'X-Receiver': HEADER },
});

async function createTwice(service: Service, idempotencyKey: string) {
  const headers = { 'Idempotency-Key': idempotencyKey };
  const body = { url: 'https://receiver.example/once', events: ['user.created'] };
  const { status, body: webhook } = await service.client().post('/api/webhooks', body, { headers });
  expect(status).toBe(201);
  return webhook as Json;
}

let connection: Json;
let secrets: string[];
let once1: Json;
let chats = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trunkline-rotation-'));
  database = await testDatabase();
  await madeByFormerRelease(database.pool, FORMER);
  await telegram.start();
  receiverUrl = await receiver.start();
});
afterAll(async () => {
  await Promise.all([...running].map((service) => service.stop()));
  await Promise.all([host.stop(), telegram.stop(), receiver.stop()]);
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

async function connects(service: Service): Promise<void> {
  await expect
    .poll(() => service.client().must(200, 'GET', `/openapi/platforms/connections/${connection.id}`))
    .toMatchObject({ status: 'connected' });
}

/** A message reaches the platform, and an event reaches the webhook, signed with both secrets and with its header. */
async function works(service: Service, name: string): Promise<void> {
  const api = service.client();
  await connects(service);
  const links = [{ connection_id: connection.id, external_id: telegram.address(1_000 + chats++) }];
  const room = await api.must(201, 'POST', '/openapi/conversations', { links });
  await api.must(201, 'POST', '/openapi/messages', { conversation_id: room.id, text: name });
  await expect
    .poll(() => telegram.ledger.entries('sendMessage').map(({ request }) => (request as Json).text))
    .toContain(name);
  await api.must(201, 'POST', '/openapi/users', { display_name: name });
  await expect.poll(() => receiver.asked.find(({ body }) => body.includes(name))).toBeDefined();
  const asked = receiver.asked.find(({ body }) => body.includes(name))!;
  expect(asked.headers['x-receiver']).toBe(HEADER);
  expect(secrets.map((secret) => verifySignature(asked.body, asked.headers, secret))).toEqual([true, true]);
}

describe('rotations of the master key while processes run', () => {
  it('start from connections and webhooks of a former release that work with the former key', async () => {
    const service = await start(FORMER);
    const api = service.client();
    connection = await api.must(201, 'POST', '/openapi/platforms/telegram/connections', {
      name: 'Telegram',
      ...telegram.account(),
    });
    const made = await api.must(201, 'POST', '/api/webhooks', hook());
    const turned = await api.must(200, 'POST', `/api/webhooks/${made.id}/rotate-secret`, {
      overlap_seconds: 86_400,
    });
    secrets = [String(turned.secret), String(made.secret)];
    once1 = await createTwice(service, 'once');
    expect(await derivedFrom(FORMER)).toBe((await sealedUnder()).length);
    await works(service, 'before');
  });

  it('let processes with one key and with both keys read each other’s data', async () => {
    const [old] = [...running] as [Service];
    const both = await start(CURRENT, FORMER);
    expect(await createTwice(both, 'once')).toEqual(once1);
    const there = await createTwice(both, 'from the new process');
    expect(await createTwice(old, 'from the new process')).toEqual(there);
    const changed = await both
      .client()
      .must(200, 'POST', `/api/webhooks/${there.id}/rotate-secret`, { overlap_seconds: 60 });
    expect(changed.secret).toEqual(expect.stringMatching(/^whsec_/));
    expect(await derivedFrom(FORMER)).toBe((await sealedUnder()).length);
    await works(both, 'new process');
  });

  it('refuse to start with a wrong former key, or without one', async () => {
    const wrong = await rotate(CURRENT, FOREIGN);
    expect([wrong.code, wrong.out]).toEqual([2, '']);
    expect(wrong.err).toContain('does not fit the database');
    const without = await rotate(CURRENT);
    expect(without.code).toBe(2);
    expect(without.err).toContain('TRUNKLINE_MASTER_KEY_PREVIOUS');
    const same = await rotate(CURRENT, CURRENT);
    expect(same.code).toBe(2);
    expect(await keysUnder(CURRENT)).toBe(0);
  });

  it('resume after a kill in the middle, end a process without the new key, and start none without the former one', async () => {
    const [old, both] = [...running] as [Service, Service];
    const box = new AesSecretBox(FORMER);
    const [{ id, workspace_id: workspaceId }] = (
      await database.pool.query('SELECT id, workspace_id FROM webhooks LIMIT 1')
    ).rows;
    const ids = Array.from({ length: 30 }, () => uuid7());
    const sealed = ids.map((rowId) =>
      box.seal('whsec_many', { workspaceId, rowId, field: 'webhooks.secret' }),
    );
    await database.pool.query(
      `INSERT INTO webhooks (id, workspace_id, url, events, scopes, secret, secret_hint, api_version, created_by, status,
         disabled_reason)
       SELECT n.id, w.workspace_id, w.url, w.events, w.scopes, n.secret, w.secret_hint, w.api_version, w.created_by,
         'disabled', 'requested'
       FROM webhooks w, unnest($2::uuid[], $3::bytea[]) AS n (id, secret) WHERE w.id = $1`,
      [id, ids, sealed],
    );
    const all = await derivedFrom(FORMER);
    const holder = await database.pool.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM webhooks WHERE id = $1 FOR UPDATE', [ids.at(-1)]);
    const env = { PATH: process.env.PATH, DATA_DIR: folder, ...knowing(CURRENT, FORMER) };
    const child = spawn(process.execPath, [PROGRAM, 'keys', 'rotate-master'], { env, stdio: 'ignore' });
    await expect.poll(() => derivedFrom(FORMER)).toBeLessThan(all - 30);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await holder.query('ROLLBACK');
    holder.release();
    expect(await derivedFrom(FORMER)).toBeGreaterThan(0);

    await expect.poll(() => old.process.exitCode).toBe(2);
    expect(old.log).toContainEqual(
      expect.objectContaining({
        msg: 'master_key.replaced',
        fix: expect.stringContaining('TRUNKLINE_MASTER_KEY'),
      }),
    );
    await stop(old);
    const early = await command(['start'], CURRENT);
    expect(early.code).toBe(2);
    expect(early.err).toContain('A rotation of the master key is not complete');
    const wrong = await rotate(CURRENT, FOREIGN);
    expect([wrong.code, wrong.err]).toEqual([2, early.err]);
    await works(both, 'in the middle');
    const { out } = await command(['keys', 'status'], CURRENT, FORMER);
    expect(out).toContain('TRUNKLINE_MASTER_KEY_PREVIOUS is needed');
  });

  it('leave nothing encrypted with the former key while a process keeps serving, and do not change the audit log', async () => {
    const [service] = [...running] as [Service];
    const noted = () => values<string>(database.pool, 'SELECT count(*) FROM audit_log');
    const before = await noted();
    const [left] = (
      await database.pool.query('SELECT id, secret FROM webhooks WHERE substring(secret FROM 2 FOR 8) = $1', [
        new AesSecretBox(FORMER).keyId,
      ])
    ).rows;
    const ended = await rotate(CURRENT, FORMER);
    expect(ended).toMatchObject({ code: 0, err: '' });
    expect(ended.out).toContain('Remove TRUNKLINE_MASTER_KEY_PREVIOUS');
    expect(await noted()).toEqual(before);
    expect(await derivedFrom(FORMER)).toBe(0);
    const again = database.pool.query('UPDATE webhooks SET secret = $2 WHERE id = $1', [
      left.id,
      left.secret,
    ]);
    await expect(again).rejects.toThrow('former master key');
    await works(service, 'afterwards');
    expect(await createTwice(service, 'once')).toEqual(once1);
    await stop(service);
    const refused = await command(['start'], FORMER);
    expect(refused.code).toBe(2);
  });

  it('wrap only the keys of workspaces again in later runs', async () => {
    const service = await start(LAST, CURRENT);
    const before = await sealedUnder();
    const wraps = await keysUnder(CURRENT);
    expect(wraps).toBeGreaterThan(0);
    const ended = await rotate(LAST, CURRENT);
    expect(ended).toMatchObject({ code: 0, err: '' });
    expect(ended.out).toContain(`keys of workspaces wrapped again: ${wraps}\nsecrets sealed again: 0\n`);
    expect(await sealedUnder()).toEqual(before);
    expect([await keysUnder(CURRENT), await keysUnder(LAST)]).toEqual([0, wraps]);
    await works(service, 'with the last key');
    expect(await createTwice(service, 'once')).toEqual(once1);
    await stop(service);
  });

  it('verify that the current key alone decrypts everything, and name a secret that it cannot decrypt', async () => {
    const again = await rotate(LAST);
    expect([again.code, again.err]).toEqual([0, '']);
    expect(again.out).toContain('Nothing was changed');
    const opened = (await sealedUnder()).length + (await keysUnder(LAST));
    expect(again.out).toContain(`opened with the new key alone: ${opened}\n`);
    expect((await command(['keys', 'status'], LAST)).out).toContain('Nothing needs a former master key');
    const [webhook] = await values<string>(
      database.pool,
      `UPDATE webhooks SET secret = set_byte(secret, 40, get_byte(secret, 40) # 1)
       WHERE id = (SELECT id FROM webhooks LIMIT 1) RETURNING id`,
    );
    const damaged = await rotate(LAST);
    expect(damaged.code).toBe(1);
    expect(damaged.err).toContain(`unreadable: webhook ${webhook}`);
    expect(damaged.out).not.toContain('Remove TRUNKLINE_MASTER_KEY_PREVIOUS');
  });

  it('write no key and no secret to a log or to the terminal', () => {
    const said = logs.join('\n');
    expect(said).toContain('master_key.rotation_pending');
    for (const secret of [FORMER, CURRENT, LAST, FOREIGN]
      .map(text)
      .concat(secrets, HEADER, String(once1.secret)))
      expect(said).not.toContain(secret);
  });
});
