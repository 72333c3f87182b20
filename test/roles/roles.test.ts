import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TelegramSimulator } from '../../adapters/telegram/simulator/index.js';
import { generateApiKey } from '../../src/core/access/api-key-format.js';
import { type ApiClient, eventually, type Json } from '../support/api-client.js';
import { type TestDatabase, testDatabase } from '../support/postgres.js';
import { type Service, startService } from '../support/service.js';

type Role = 'api' | 'worker' | 'gateway';

/** The limits that the documentation guarantees. */
const FAILOVER_MS = 15_000;
const DRAIN_MS = 30_000;

let database: TestDatabase;
let env: Record<string, string>;
const key = generateApiKey('live').key;
const telegram = new TelegramSimulator();
const running: Record<Role, Service[]> = { api: [], worker: [], gateway: [] };
let connectionId: string;

const start = (role: Role) => startService({ key, env: { ...env, TRUNKLINE_ROLES: role } });

beforeAll(async () => {
  database = await testDatabase();
  env = { DATABASE_URL: database.url, TRUNKLINE_MASTER_KEY: randomBytes(32).toString('base64') };
  await telegram.start();
  // The first one migrates and creates the owner.
  running.api.push(await start('api'));
  await Promise.all(
    (['api', 'worker', 'worker', 'gateway', 'gateway'] as const).map(async (role) => {
      running[role].push(await start(role));
    }),
  );
  const made = await api(0).must(201, 'POST', '/openapi/platforms/telegram/connections', {
    name: 'Telegram',
    ...telegram.account(),
  });
  connectionId = String(made.id);
  await eventually(
    () => api(1).must(200, 'GET', `/openapi/platforms/connections/${connectionId}`),
    ({ status }) => status === 'connected',
  );
  for (let index = 0; index < ROOMS; index += 1) {
    const links = [{ connection_id: connectionId, external_id: telegram.address(10_000 + index) }];
    rooms.push((await api(0).must(201, 'POST', '/openapi/conversations', { links })).id);
  }
});
afterAll(async () => {
  await Promise.all(Object.values(running).flatMap((services) => services.map((one) => one.stop())));
  await telegram.stop();
  await database?.drop();
});

const api = (index: number): ApiClient => (running.api[index] as Service).client();

const ROOMS = 40;
/** Conversations, each with its own chat, so that sends do not wait for the limit of a chat. */
const rooms: unknown[] = [];
let taken = 0;
const nextRoom = () => rooms[taken++ % ROOMS];

const send = (client: ApiClient, room: unknown, text: string, headers: Record<string, string> = {}) =>
  client.post('/openapi/messages', { conversation_id: room, text }, { headers });

const copies = (text: string) =>
  telegram.ledger
    .entries('sendMessage')
    .filter(({ committed, request }) => committed && (request as Json).text === text).length;

/** The stored texts of inbound messages. */
async function received(prefix: string): Promise<string[]> {
  const { rows } = await database.pool.query<{ text: string }>(
    `SELECT text FROM messages WHERE direction = 'inbound' AND text LIKE $1 ORDER BY text`,
    [`${prefix}%`],
  );
  return rows.map(({ text }) => text);
}

const statuses = async (prefix: string): Promise<Record<string, number>> => {
  const { rows } = await database.pool.query<{ status: string; n: number }>(
    `SELECT d.status, count(*)::int AS n FROM deliveries d JOIN messages m ON m.id = d.message_id
     WHERE m.text LIKE $1 GROUP BY 1`,
    [`${prefix}%`],
  );
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
};

/** The gateway that reads from the platform. */
const openedBy = (service: Service) => service.log.some(({ msg }) => msg === 'connection.ingress_opened');

describe('two processes of each role', () => {
  it('deliver messages in both directions, whichever process receives the request', async () => {
    for (const index of [0, 1]) {
      const { status } = await send(api(index), nextRoom(), `out by ${index}`);
      expect(status).toBe(201);
      await eventually(
        async () => copies(`out by ${index}`),
        (count) => count === 1,
      );
    }
    await telegram.post({ chatId: telegram.address(1), sender: 'Ann', text: 'in: hello' });
    await eventually(
      () => received('in:'),
      (texts) => texts.length === 1,
    );
    for (const index of [0, 1]) {
      const found = await api(index).must<{ data: Json[] }>(200, 'GET', '/openapi/messages?limit=5');
      expect(found.data.map(({ text }) => text)).toContain('in: hello');
    }
  });

  it('serve the API in the role api only, and report their readiness in the other roles', async () => {
    for (const role of ['worker', 'gateway'] as const) {
      const { url } = running[role][0] as Service;
      expect((await fetch(`${url}/readyz`)).status).toBe(200);
      const answer = await fetch(`${url}/openapi/status`, { headers: { 'x-api-key': key } });
      expect(answer.status).toBe(404);
    }
  });

  it('read from a platform in exactly one process', () => {
    expect(running.gateway.filter(openedBy)).toHaveLength(1);
    const conflicts = telegram.ledger.entries('getUpdates').filter(({ status }) => status === 409);
    expect(conflicts).toEqual([]);
  });

  it('continue reading in another process when the reading one is killed', async () => {
    const owner = running.gateway.find(openedBy) as Service;
    await owner.kill();
    const killedAt = Date.now();
    running.gateway = running.gateway.filter((service) => service !== owner);
    await telegram.post({ chatId: telegram.address(1), sender: 'Ann', text: 'failover: still there?' });
    await eventually(
      () => received('failover:'),
      (texts) => texts.length > 0,
    );
    expect(Date.now() - killedAt).toBeLessThan(FAILOVER_MS);
    running.gateway.push(await start('gateway'));
  });
});

describe('a rolling restart under load', () => {
  it('loses no message, sends none twice and leaves none uncertain', async () => {
    let going = true;
    let written = 0;
    let sent = 0;
    const writing = (async () => {
      while (going) {
        written += 1;
        const text = `roll in: ${String(written).padStart(5, '0')}`;
        await telegram.post({ chatId: telegram.address(1 + (written % 20)), sender: 'Ann', text });
        await new Promise((resolve) => setTimeout(resolve, 150));
      }
    })();
    const sending = (async () => {
      while (going) {
        sent += 1;
        await sendUntilTaken(nextRoom(), `roll out: ${sent}`, `roll-${sent}`);
        await new Promise((resolve) => setTimeout(resolve, 150));
      }
    })();
    try {
      for (const role of ['api', 'worker', 'gateway'] as const) {
        const old = running[role][0] as Service;
        expect(await old.stop()).toBe(0);
        running[role][0] = await start(role);
      }
    } finally {
      going = false;
    }
    await Promise.all([writing, sending]);
    await eventually(
      () => received('roll in:'),
      (texts) => texts.length >= written,
    );
    expect(new Set(await received('roll in:')).size).toBe(written);
    expect(await received('roll in:')).toHaveLength(written);
    await eventually(
      () => statuses('roll out:'),
      (counts) => counts.sent === sent,
    );
    expect(await statuses('roll out:')).toEqual({ sent });
    for (let n = 1; n <= sent; n += 1) expect([n, copies(`roll out: ${n}`)]).toEqual([n, 1]);
    expect(sent).toBeGreaterThan(10);
  });
});

/** Acts as a client: repeats the request with the same key at another process until one accepts it. */
async function sendUntilTaken(room: unknown, text: string, idempotencyKey: string): Promise<void> {
  for (let turn = 0; ; turn += 1) {
    const { url } = running.api[turn % 2] as Service;
    const status = await fetch(`${url}/openapi/messages`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
      body: JSON.stringify({ conversation_id: room, text }),
    }).then(
      async (answer) => {
        await answer.arrayBuffer();
        return answer.status;
      },
      // No process listens there at this moment.
      () => 503,
    );
    if (status === 201) return;
    expect([409, 503]).toContain(status);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('a worker that is asked to stop', () => {
  it('stops in time without uncertain messages, and another worker sends the rest', async () => {
    telegram.faults.set({ fault: { kind: 'delay', ms: 3_000 }, call: 'sendMessage', times: 80 });
    for (let n = 0; n < 80; n += 1) await send(api(n % 2), nextRoom(), `drain: ${n}`);
    await eventually(
      () => statuses('drain:'),
      ({ sending = 0 }) => sending > 5,
    );
    const old = running.worker[0] as Service;
    const askedAt = Date.now();
    expect(await old.stop()).toBe(0);
    expect(Date.now() - askedAt).toBeLessThan(DRAIN_MS);
    telegram.faults.clear();
    running.worker[0] = await start('worker');
    await eventually(
      () => statuses('drain:'),
      (counts) => counts.sent === 80,
    );
    for (let n = 0; n < 80; n += 1) expect([n, copies(`drain: ${n}`)]).toEqual([n, 1]);
    const { rows } = await database.pool.query(`SELECT uncertain FROM connections WHERE id = $1`, [
      connectionId,
    ]);
    expect(Number(rows[0]?.uncertain)).toBe(0);
  });
});
