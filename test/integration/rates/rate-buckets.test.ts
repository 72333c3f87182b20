import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RateBucket } from '../../../src/contract/index.js';
import { PostgresRateBuckets } from '../../../src/store/rates/rate-buckets.js';
import { type BridgeStage, bridgeStage, sent } from '../../support/bridge.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

let database: TestDatabase;
let stage: BridgeStage;
let buckets: PostgresRateBuckets;
let connection: string;

beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(async () => {
  stage = await bridgeStage(database.pool);
  buckets = new PostgresRateBuckets(database.pool);
  connection = await stage.connection('alpha');
});
afterAll(() => database?.drop());

const bucket = (key: string, count: number, perMs: number): RateBucket => ({
  key,
  scope: 'chat',
  count,
  perMs,
});
const write = (key: string, count: number, perMs: number, cost = 1) => ({
  chatId: key,
  cost,
  maxWaitMs: 250,
  buckets: [bucket(key, count, perMs)],
});
const MINUTE = 60_000;
const about = (wait: number | undefined, ms: number) =>
  expect([wait ?? -1, (wait ?? -1) > ms - 5_000 && (wait ?? -1) <= ms]).toEqual([wait, true]);

describe('call slots of an account', () => {
  it('are each reserved once, however many processes ask at once', async () => {
    const others = Array.from({ length: 4 }, () => new PostgresRateBuckets(database.pool));
    const from = Date.now();
    const firsts = await Promise.all(
      others.flatMap((other) =>
        Array.from({ length: 5 }, async () => (await other.reserve(connection, 10, MINUTE, 0)) / MINUTE),
      ),
    );
    const groups = firsts.map((first) => Math.round(first / 10) + 0).sort((a, b) => a - b);
    expect(Date.now() - from).toBeLessThan(MINUTE);
    expect(groups).toEqual(Array.from({ length: 20 }, (_, index) => index));
  });

  it('start at once after an idle time, and catch up on no more than the leeway', async () => {
    await buckets.reserve(connection, 1, MINUTE, 0);
    await database.pool.query(
      `UPDATE rate_buckets SET next_at = now() - interval '1 day' WHERE connection_id = $1`,
      [connection],
    );
    const waits = [];
    for (let turn = 0; turn < 4; turn += 1)
      waits.push(Math.round((await buckets.reserve(connection, 1, MINUTE, 2 * MINUTE)) / MINUTE) + 0);
    expect(waits).toEqual([-2, -1, 0, 1]);
  });
});

describe('capacity in the bucket of a chat', () => {
  it('is available up to the limit of the window, and again when the oldest write leaves it', async () => {
    const asked = () => buckets.take(connection, [write('a', 3, MINUTE)]);
    const waits = [await asked(), await asked(), await asked()].flat();
    expect(waits).toEqual([0, 0, 0]);
    about((await asked())[0], MINUTE);
    // A refused request takes nothing.
    about((await asked())[0], MINUTE);
    await database.pool.query(
      `UPDATE rate_buckets SET taken[1] = now() - interval '61 s' WHERE connection_id = $1 AND key = 'a'`,
      [connection],
    );
    expect(await asked()).toEqual([0]);
    about((await asked())[0], MINUTE);
  });

  it('is counted by cost across combined writes', async () => {
    const writes = [
      write('a', 5, MINUTE, 3),
      write('a', 5, MINUTE, 3),
      write('a', 5, MINUTE, 2),
      write('b', 5, MINUTE, 9),
      write('b', 5, MINUTE),
    ];
    const waits = await buckets.take(connection, writes);
    expect(waits.map((wait) => wait > 0)).toEqual([false, true, false, false, true]);
  });

  it('is exact across processes that ask at once in different orders, without a deadlock', async () => {
    const keys = Array.from({ length: 10 }, (_, index) => `chat ${index}`);
    const processes = Array.from({ length: 8 }, () => new PostgresRateBuckets(database.pool));
    const answers = await Promise.all(
      processes.map((each, index) => {
        const order = index % 2 === 0 ? keys : [...keys].reverse();
        return each.take(
          connection,
          order.map((key) => write(key, 3, MINUTE)),
        );
      }),
    );
    expect(answers.flat().filter((wait) => wait === 0)).toHaveLength(3 * keys.length);
  });

  it('is acquired in all buckets of a write or in none', async () => {
    const both = {
      chatId: 'a',
      cost: 1,
      maxWaitMs: 250,
      buckets: [bucket('a', 1, MINUTE), bucket('method', 5, MINUTE)],
    };
    await buckets.take(connection, [both, both, both]);
    const { rows } = await database.pool.query(
      'SELECT key, cardinality(taken) AS taken FROM rate_buckets WHERE connection_id = $1 ORDER BY key',
      [connection],
    );
    expect(rows).toEqual([
      { key: 'a', taken: 1 },
      { key: 'method', taken: 1 },
    ]);
  });

  it('is separate for another connection', async () => {
    const other = await stage.connection('alpha');
    await buckets.take(connection, [write('a', 1, MINUTE)]);
    expect(await buckets.take(other, [write('a', 1, MINUTE)])).toEqual([0]);
  });

  it('is not available before a wait of the platform is over', async () => {
    await buckets.hold(connection, ['a'], 'a', MINUTE);
    about((await buckets.take(connection, [write('a', 5, 1_000)]))[0], MINUTE);
    expect(await buckets.take(connection, [write('b', 5, 1_000)])).toEqual([0]);
    // A shorter wait does not shorten a longer one.
    await buckets.hold(connection, ['a'], 'a', 1_000);
    about((await buckets.take(connection, [write('a', 5, 1_000)]))[0], MINUTE);
  });
});

describe('the lanes of a chat without capacity', () => {
  it('are not claimed in any of its threads, while other lanes are', async () => {
    const chats = { full: await stage.conversation(), free: await stage.conversation() };
    await stage.link(chats.full, connection, 'full');
    await stage.link(chats.full, connection, 'full', { external_thread_id: 't' });
    await stage.link(chats.free, connection, 'free');
    await buckets.take(connection, [write('full', 1, MINUTE), write('free', 2, MINUTE)]);
    await stage.send(chats.full, 'waits');
    await stage.send(chats.free, 'goes');
    const tasks = await stage.deliveries.claim(connection, 10);
    expect(tasks.map(({ message }) => message.text)).toEqual(['goes']);
    about(await buckets.nextLaneReleaseMs(connection), MINUTE);
    await stage.makeDue();
    expect(await stage.deliveries.claim(connection, 10)).toHaveLength(2);
    expect(await buckets.nextLaneReleaseMs(connection)).toBeUndefined();
  });

  it('cause no check if they have no queued work', async () => {
    const conversation = await stage.conversation();
    await stage.link(conversation, connection, 'a');
    await buckets.hold(connection, [], 'a', MINUTE);
    expect(await buckets.nextLaneReleaseMs(connection)).toBeUndefined();
  });

  it('cause no check after their wait while an abandoned send in them is not taken over', async () => {
    const conversation = await stage.conversation();
    await stage.link(conversation, connection, 'a');
    const { id } = await stage.send(conversation, 'shown');
    await stage.deliveries.settle([sent(await stage.claimOne(connection))]);
    await stage.send(conversation, 'left');
    await stage.claimOne(connection);
    await stage.messages.edit(stage.scope, id, { text: 'edited' });
    const past = `UPDATE links SET held_until = now() - interval '1 ms', leased_until = now() - interval '1 ms' WHERE connection_id = $1`;
    await database.pool.query(past, [connection]);
    expect(await buckets.nextLaneReleaseMs(connection)).toBeUndefined();
    await stage.deliveries.sweep();
    expect(await buckets.nextLaneReleaseMs(connection)).toBe(0);
  });
});

describe('urgent work', () => {
  it('can be claimed alone', async () => {
    const conversations = [await stage.conversation(), await stage.conversation()] as const;
    await stage.link(conversations[0], connection, 'many');
    await stage.link(conversations[1], connection, 'one');
    const bulk = await stage.send(conversations[0], 'to many');
    await database.pool.query('UPDATE deliveries SET priority = 5 WHERE message_id = $1', [bulk.id]);
    await stage.send(conversations[1], 'to one');
    const urgent = await stage.deliveries.claim(connection, 10, { urgent: true });
    expect(urgent.map(({ message }) => message.text)).toEqual(['to one']);
    expect((await stage.deliveries.claim(connection, 10)).map(({ priority }) => priority)).toEqual([5]);
  });
});

describe('a connection that the platform refused', () => {
  it('has nothing to claim, in any process', async () => {
    const conversation = await stage.conversation();
    await stage.link(conversation, connection, 'a');
    await stage.send(conversation, 'held back');
    await database.pool.query(`UPDATE connections SET status = 'error' WHERE id = $1`, [connection]);
    expect(await stage.deliveries.claim(connection, 10)).toEqual([]);
    await database.pool.query(`UPDATE connections SET status = 'connected' WHERE id = $1`, [connection]);
    expect(await stage.deliveries.claim(connection, 10)).toHaveLength(1);
  });
});

it('obsolete rows of rate limits are deleted', async () => {
  await buckets.take(connection, [write('old', 1, 1_000), write('new', 1, MINUTE)]);
  await database.pool.query(
    `UPDATE rate_buckets SET idle_at = now() - interval '2 minutes' WHERE connection_id = $1 AND key = 'old'`,
    [connection],
  );
  await database.pool.query('SELECT purge_expired()');
  const { rows } = await database.pool.query('SELECT key FROM rate_buckets WHERE connection_id = $1', [
    connection,
  ]);
  expect(rows).toEqual([{ key: 'new' }]);
});
