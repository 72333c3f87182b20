import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  followBroadcast,
  type Reach,
  reachOf,
  readBroadcast,
  startBroadcast,
} from '../../src/cli/demo/broadcast.js';
import { Stage } from '../../src/cli/demo/stage.js';
import { waitUntil } from '../../src/cli/wait-until.js';
import type { BroadcastRecord } from '../../src/core/broadcasts/record.js';
import type { ConnectionRecord } from '../../src/core/platforms/record.js';

const PROGRAM = fileURLToPath(new URL('../../bin/trunkline.mjs', import.meta.url));
/**
 * These platforms can report the outcome of a request. A message that is absent may still appear, so a request that was cut off
 * stays uncertain.
 */
const ASKABLE = ['slack', 'sms'];
/** Writes in progress at once for each connection. */
const IN_FLIGHT = 50;
const EACH = 100;
/** Slack allows fifty lookups a minute. A kill on a slow machine leaves up to `EACH` writes unrecorded. Each may need several. */
const LOOKUPS_MS = 600_000;
/** In the middle, so that sends of all platforms are in progress. */
const KILL_AT = 0.3;

/** Kills the service in the middle of a broadcast, starts it again and waits for the end. */
async function interruptedBroadcast(stage: Stage): Promise<BroadcastRecord> {
  const { id } = await startBroadcast(stage, EACH);
  const total = EACH * stage.platforms.all.length;
  const reached = () =>
    stage.platforms.all.reduce((sum, { simulator, createCall }) => {
      const created = simulator.ledger.entries(createCall).filter(({ committed }) => committed);
      return sum + created.length;
    }, 0);
  await waitUntil(() => reached() >= total * KILL_AT, LOOKUPS_MS, 5);
  await stage.service.kill();
  expect(reached()).toBeLessThan(total);
  await stage.service.start();
  await followBroadcast(stage, id, () => undefined, LOOKUPS_MS);
  await waitUntil(async () => (await undecided(stage, id)) === 0, LOOKUPS_MS, 200);
  return readBroadcast(stage, id);
}

/** Deliveries in progress, and uncertain ones whose message the platform has and could report. */
async function undecided(stage: Stage, broadcastId: string): Promise<number> {
  const queries = ['status:queued', 'status:sending', 'status:uncertain&filter=platform:discord'];
  const counts = await Promise.all(
    queries.map((query) => stage.client.count(`/openapi/deliveries?filter=${query}`)),
  );
  const unfound = (await reachOf(stage, broadcastId)).filter(
    ({ platform, copies, message }) =>
      ASKABLE.includes(platform) && copies > 0 && message.status === 'uncertain',
  );
  return counts.reduce((sum, count) => sum + count, unfound.length);
}

describe('after a kill -9 in the middle of a broadcast and a start on the same data', () => {
  const stage = new Stage({
    program: PROGRAM,
    simulator: (platform) => ({ limits: platform === 'sms' ? 'none' : 'documented' }),
    settings: (platform) => (platform === 'sms' ? { rate_per_second: 40 } : {}),
  });
  let broadcast: BroadcastRecord;
  let reach: Reach[];
  let connections: ConnectionRecord[];

  beforeAll(async () => {
    await stage.startService();
    await stage.connect();
    await stage.connections();
    broadcast = await interruptedBroadcast(stage);
    reach = await reachOf(stage, broadcast.id);
    connections = await stage.connections();
  }, 3 * LOOKUPS_MS);

  afterAll(() => stage.close());

  const copiesOn = (platform: string) => reach.filter((one) => one.platform === platform);

  test('some sends were interrupted, and were uncertain for a while', () => {
    const doubts = connections.reduce((sum, { counters }) => sum + counters.uncertain, 0);
    expect(doubts).toBeGreaterThan(0);
  });

  test('the broadcast is completed', () => {
    expect(broadcast.status).toBe('completed');
    const { total, pending, skipped, failed, canceled, expired } = broadcast.counts;
    expect({ total, pending, skipped, failed, canceled, expired }).toEqual({
      total: EACH * 4,
      pending: 0,
      skipped: 0,
      failed: 0,
      canceled: 0,
      expired: 0,
    });
    expect(connections.map(({ status }) => status)).toEqual(Array(4).fill('connected'));
  });

  test('discord, which recognises repeated sends, has exactly one copy for each recipient', () => {
    const copies = copiesOn('discord');
    expect(copies).toHaveLength(EACH);
    const wrong = copies.filter((one) => one.copies !== 1);
    expect(
      wrong.map((one) => ({ copies: one.copies, status: one.message.status, error: one.message.error })),
    ).toEqual([]);
  });

  test.each(ASKABLE)(
    '%s, which supports lookups, has one copy for each recipient except cut-off requests, which are shown as uncertain',
    (platform) => {
      const copies = copiesOn(platform);
      expect(copies).toHaveLength(EACH);
      const uncertain = copies.filter(({ message }) => message.status === 'uncertain');
      const certain = copies.filter(({ message }) => message.status !== 'uncertain');
      expect(certain.filter((one) => one.copies !== 1)).toEqual([]);
      expect(uncertain.filter((one) => one.copies > 0)).toEqual([]);
      expect(uncertain.length).toBeLessThanOrEqual(IN_FLIGHT);
    },
  );

  test('telegram, which has no lookups, has one copy for each recipient except those shown as uncertain', () => {
    const copies = copiesOn('telegram');
    expect(copies).toHaveLength(EACH);
    const certain = copies.filter(({ message }) => message.status !== 'uncertain');
    expect(certain.filter((one) => one.copies !== 1)).toEqual([]);
    expect(copies.filter((one) => one.copies > 1)).toEqual([]);
    const uncertain = reach.filter(({ message }) => message.status === 'uncertain');
    expect(broadcast.counts.uncertain).toBe(uncertain.length);
  });
});
