import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiAnswer, ApiClient } from '../support/api-client.js';
import { type TestDatabase, testDatabase } from '../support/postgres.js';
import { type Service, startService } from '../support/service.js';
import { waitFor } from '../support/wait-for.js';

const LOST = 'rate_windows.counts_lost';

let database: TestDatabase;
let env: Record<string, string>;
let services: Service[];

beforeAll(async () => {
  database = await testDatabase();
  env = { DATABASE_URL: database.url, TRUNKLINE_MASTER_KEY: randomBytes(32).toString('base64') };
  const first = await startService({ env });
  services = [first, await startService({ env, key: first.key })];
});
afterAll(async () => {
  await Promise.all((services ?? []).map((service) => service.stop()));
  await database?.drop();
});

async function limitedClients(rateLimit: number): Promise<[ApiClient, ApiClient]> {
  const [one, two] = services as [Service, Service];
  const key = await one.createKey({ rateLimit });
  return [one.client(key), two.client(key)];
}

const status = (client: ApiClient) => client.get('/openapi/status');
const remaining = ({ headers }: ApiAnswer) => Number(headers['x-ratelimit-remaining']);
const ofStatus = (answers: readonly ApiAnswer[], wanted: number) =>
  answers.filter((answer) => answer.status === wanted);

const thisHour = () => Math.floor(Date.now() / 3_600_000);
/** How often a process stalled for longer than the lease of its counts, and lost those that it had not reported. */
const stalls = () => services.flatMap(({ log }) => log).filter(({ msg }) => msg === LOST).length;
const stored = async () =>
  Number((await database.pool.query('SELECT coalesce(sum(used), 0) AS used FROM rate_windows')).rows[0].used);

/** Repeats work that was interrupted by the beginning of a new hour. */
async function withinOneHour<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    const hour = thisHour();
    const result = await work();
    if (thisHour() === hour) return result;
  }
}

/** Repeats work in which a process stalled and said so. Otherwise the database must have counted each accepted request. */
async function exactly(work: () => Promise<ApiAnswer[]>): Promise<ApiAnswer[]> {
  for (;;) {
    const [before, counted] = [stalls(), await stored()];
    const answers = await withinOneHour(work);
    const accepted = ofStatus(answers, 200).length;
    await waitFor(async () => {
      if (stalls() === before) expect((await stored()) - counted).toBe(accepted);
    });
    if (stalls() === before) return answers;
  }
}

describe('the hourly limit over two processes', () => {
  it('is exact with 200 concurrent requests, and each response has the remaining number', async () => {
    const answers = await exactly(async () => {
      const clients = await limitedClients(150);
      return Promise.all(Array.from({ length: 200 }, (_, at) => status(clients[at % 2] as ApiClient)));
    });
    expect(ofStatus(answers, 200)).toHaveLength(150);
    expect(ofStatus(answers, 429)).toHaveLength(50);
    const left = ofStatus(answers, 200).map(remaining);
    expect(left.sort((a, b) => b - a)).toEqual(Array.from({ length: 150 }, (_, at) => 149 - at));
    expect(ofStatus(answers, 429).map(remaining)).toEqual(Array(50).fill(0));
  });

  it('is exact when the second process joins later', async () => {
    const answers = await exactly(async () => {
      const [one, two] = await limitedClients(300);
      const early = await Promise.all(Array.from({ length: 100 }, () => status(one)));
      const joining = await status(two);
      const late = Array.from({ length: 400 }, (_, at) => status(at % 2 === 0 ? one : two));
      return [...early, joining, ...(await Promise.all(late))];
    });
    expect(remaining(answers[100] as ApiAnswer)).toBe(199);
    expect(ofStatus(answers, 200)).toHaveLength(300);
  });

  it('decreases by one with each request, whichever process responds', async () => {
    const answers = await exactly(async () => {
      const [one, two] = await limitedClients(40);
      const all: ApiAnswer[] = [];
      for (const client of [one, one, one, two, one, two, two, one, two]) all.push(await status(client));
      return all;
    });
    expect(answers.map(remaining)).toEqual([39, 38, 37, 36, 35, 34, 33, 32, 31]);
  });

  it('refuses no request early after a process was killed', async () => {
    const [one] = services as [Service, Service];
    await withinOneHour(async () => {
      const victim = await startService({ env, key: one.key });
      const key = await one.createKey({ rateLimit: 50 });
      for (let sent = 0; sent < 20; sent += 1) await status(victim.client(key));
      await victim.kill();
      const answers = await Promise.all(Array.from({ length: 80 }, () => status(one.client(key))));
      const passed = ofStatus(answers, 200).length;
      expect(passed).toBeGreaterThanOrEqual(30);
      expect(passed).toBeLessThanOrEqual(50);
    });
  });
});
