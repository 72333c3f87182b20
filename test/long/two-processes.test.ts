import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiAnswer, ApiClient } from '../support/api-client.js';
import { type TestDatabase, testDatabase } from '../support/postgres.js';
import { type Service, startService } from '../support/service.js';

/** Longer than the interval of reports. */
const REPORTED_MS = 1_500;

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

/** Stalls of a process longer than the lease of its counts, as on a busy machine. */
const stalls = () =>
  services.flatMap(({ log }) => log).filter(({ msg }) => msg === 'rate_windows.counts_lost').length;

/** Repeats work that was interrupted by the beginning of a new hour, or in which a process stalled. */
async function uninterrupted<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    const hour = Math.floor(Date.now() / 3_600_000);
    const before = stalls();
    const result = await work();
    // A process that stalled notices it with its next report.
    await sleep(REPORTED_MS);
    if (Math.floor(Date.now() / 3_600_000) === hour && stalls() === before) return result;
  }
}

describe('the hourly limit over two processes', () => {
  it('is exact with 200 concurrent requests, and each response has the remaining number', async () => {
    const answers = await uninterrupted(async () => {
      const clients = await limitedClients(150);
      return Promise.all(Array.from({ length: 200 }, (_, at) => status(clients[at % 2] as ApiClient)));
    });
    expect(ofStatus(answers, 200)).toHaveLength(150);
    expect(ofStatus(answers, 429)).toHaveLength(50);
    const left = ofStatus(answers, 200).map(remaining);
    expect(left.sort((a, b) => b - a)).toEqual(Array.from({ length: 150 }, (_, at) => 149 - at));
    expect(ofStatus(answers, 429).map(remaining)).toEqual(Array(50).fill(0));
  });

  it('is exact when the second joins later', async () => {
    const answers = await uninterrupted(async () => {
      const [one, two] = await limitedClients(300);
      const early = await Promise.all(Array.from({ length: 100 }, () => status(one)));
      expect(remaining(await status(two))).toBe(199);
      const late = Array.from({ length: 400 }, (_, at) => status(at % 2 === 0 ? one : two));
      return [...early, ...(await Promise.all(late))];
    });
    expect(ofStatus(answers, 200)).toHaveLength(299);
  });

  it('decreases by one with each request, whichever process responds', async () => {
    const seen = await uninterrupted(async () => {
      const [one, two] = await limitedClients(40);
      const answers: ApiAnswer[] = [];
      for (const client of [one, one, one, two, one, two, two, one, two]) answers.push(await status(client));
      return answers.map(remaining);
    });
    expect(seen).toEqual([39, 38, 37, 36, 35, 34, 33, 32, 31]);
  });

  it('never refuses early after a process was killed, and its successor continues', async () => {
    const [one] = services as [Service, Service];
    await uninterrupted(async () => {
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
