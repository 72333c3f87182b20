import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type BridgeStage, bridgeStage } from '../../support/bridge.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { problem } from '../../support/scripted-platform.js';

let database: TestDatabase;
let stage: BridgeStage;
let connection: string;

beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(async () => {
  stage = await bridgeStage(database.pool);
  connection = await stage.connection('alpha');
});
afterAll(() => database?.drop());

type Worker = ReturnType<BridgeStage['deliverer']>;

async function inChats(count: number, priority = 0): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const conversation = await stage.conversation();
    await stage.link(conversation, connection, `${priority}-${index}`);
    const { id } = await stage.send(conversation, `${priority}-${index}`);
    await stage.pool.query('UPDATE deliveries SET priority = $2 WHERE message_id = $1', [id, priority]);
  }
}

const paced = (perSecond: number): Worker => {
  const worker = stage.deliverer();
  worker.platform.account = { perSecond, burst: 0 };
  return worker;
};
const timesOf = (...workers: Worker[]) =>
  workers.flatMap(({ platform }) => platform.calls.map(({ at }) => at)).sort((a, b) => a - b);
/** The largest excess of calls over a rate since `from`. Calls that are late do not count. */
const maxAbove = (perSecond: number, from: number, times: readonly number[]) =>
  Math.max(...times.map((at, index) => index + 1 - ((at - from) / 1000) * perSecond));
const sent = async () => {
  const { rows } = await stage.pool.query(
    `SELECT count(*)::int AS n FROM deliveries WHERE connection_id = $1 AND status = 'sent'`,
    [connection],
  );
  return rows[0].n as number;
};

describe('two workers of one account', () => {
  it('stay within its rate together, and send everything once', async () => {
    await inChats(40);
    const workers = [paced(40), paced(40)] as const;
    const from = Date.now();
    await Promise.all(workers.map((worker) => worker.run(connection)));
    expect(await sent()).toBe(40);
    const texts = workers.flatMap(({ platform }) => platform.texts());
    expect(new Set(texts).size).toBe(texts.length);
    expect(maxAbove(40, from, timesOf(...workers))).toBeLessThanOrEqual(4);
  });

  it('do not reset the rate after a restart', async () => {
    await inChats(12);
    const from = Date.now();
    const before = paced(10);
    const running = before.run(connection);
    while (before.platform.calls.length < 4) await new Promise((resolve) => setTimeout(resolve, 5));
    before.deliver.stop();
    await running;
    const after = paced(10);
    await after.run(connection);
    expect(await sent()).toBe(12);
    expect(maxAbove(10, from, timesOf(before, after))).toBeLessThanOrEqual(3);
  });
});

describe('a reply during a broadcast', () => {
  it('is sent before broadcast messages, although they were queued first', async () => {
    const worker = paced(40);
    await inChats(60, 5);
    const running = worker.run(connection);
    while (worker.platform.calls.length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
    await inChats(1, 0);
    const asked = worker.platform.calls.length;
    await worker.run(connection);
    await running;
    const place = worker.platform.texts().indexOf('0-0');
    // Only the messages in progress at that moment, out of 57 that waited.
    expect(place - asked).toBeLessThan(25);
    expect(await sent()).toBe(61);
  });
});

describe('a chat at its rate limit', () => {
  const limited = (worker: Worker, count: number, perMs: number) => {
    worker.platform.buckets = (_step, { chatId }) => [{ key: `chat:${chatId}`, scope: 'chat', count, perMs }];
  };

  it('waits without calls, and continues by itself in order', async () => {
    const worker = stage.deliverer();
    limited(worker, 2, 700);
    const conversation = await stage.conversation();
    await stage.link(conversation, connection, 'busy');
    for (const text of ['1', '2', '3', '4', '5']) await stage.send(conversation, text);
    await worker.run(connection);
    expect(worker.platform.texts('busy')).toEqual(['1', '2', '3', '4', '5']);
    const times = timesOf(worker);
    // A busy machine may make a call some milliseconds after the time that the database allowed.
    for (const index of [2, 3, 4]) {
      expect((times[index] ?? 0) - (times[index - 2] ?? 0)).toBeGreaterThanOrEqual(600);
    }
  });

  it('receives each part of a message once, however long it waits between them', async () => {
    const worker = stage.deliverer();
    limited(worker, 2, 60_000);
    const conversation = await stage.conversation();
    await stage.link(conversation, connection, 'a');
    const message = await stage.send(conversation, 'one\ntwo\nthree');
    await worker.run(connection);
    expect(worker.platform.texts()).toEqual(['one', 'two']);
    await stage.makeDue();
    await worker.run(connection);
    expect(worker.platform.texts()).toEqual(['one', 'two', 'three']);
    const [delivery] = (await stage.message(message.id)).deliveries;
    expect(delivery).toMatchObject({ status: 'sent', attempt_count: 1 });
    expect(delivery?.parts.map(({ status }) => status)).toEqual(['sent', 'sent', 'sent']);
  });

  it('delays no other, and is woken later when its time is far away', async () => {
    const worker = stage.deliverer();
    limited(worker, 1, 60_000);
    const busy = await stage.conversation();
    await stage.link(busy, connection, 'busy');
    for (const text of ['first', 'second', 'third']) await stage.send(busy, text);
    await inChats(20);
    await worker.run(connection);
    expect(worker.platform.texts('busy')).toEqual(['first']);
    expect(await sent()).toBe(21);
    const { rows } = await stage.pool.query(
      `SELECT 1 FROM outbox WHERE topic = 'deliver' AND payload->>'connection_id' = $1
         AND run_at > now() + interval '30 s'`,
      [connection],
    );
    expect(rows.length).toBeGreaterThan(0);
    // Held back without a try, an attempt or an event.
    const { rows: tries } = await stage.pool.query(
      `SELECT d.status, d.attempt_count, count(a.id)::int AS attempts FROM deliveries d
       LEFT JOIN attempts a ON a.delivery_id = d.id JOIN messages m ON m.id = d.message_id
       WHERE m.text = 'third' AND d.connection_id = $1 GROUP BY d.id`,
      [connection],
    );
    expect(tries).toEqual([{ status: 'queued', attempt_count: 0, attempts: 0 }]);
  });

  it('is not called again after a 429 by other sends to it', async () => {
    const worker = stage.deliverer();
    limited(worker, 5, 1_000);
    const conversation = await stage.conversation();
    await stage.link(conversation, connection, 'a');
    const thread = await stage.conversation();
    await stage.link(thread, connection, 'a', { external_thread_id: 't' });
    await stage.send(conversation, 'refused');
    worker.platform.script = () => {
      throw problem({ kind: 'rate_limited', retryAfterMs: 60_000, scope: 'chat' });
    };
    await worker.run(connection);
    worker.platform.script = () => undefined;
    await stage.send(thread, 'in a thread of the same chat');
    await inChats(1);
    await worker.run(connection);
    expect(worker.platform.texts()).toEqual(['refused', '0-0']);
  });

  it('is logged when the platform asks it to wait for a long time', async () => {
    const worker = stage.deliverer();
    const conversation = await stage.conversation();
    const link = await stage.link(conversation, connection, 'a');
    await stage.send(conversation, 'refused');
    let retryAfterMs = 60_000;
    worker.platform.script = () => {
      throw problem({ kind: 'rate_limited', retryAfterMs, scope: 'chat' });
    };
    const held = () => worker.log.lines.filter(({ event }) => event === 'chat.held');
    await worker.run(connection);
    expect(held()).toEqual([]);
    const other = await stage.conversation();
    const otherLink = await stage.link(other, connection, 'b');
    await stage.send(other, 'refused for a day');
    retryAfterMs = 86_400_000;
    await worker.run(connection);
    expect(held()).toMatchObject([
      { level: 'error', fields: { connection_id: connection, link_id: otherLink } },
    ]);
    expect(otherLink).not.toBe(link);
  });

  it('is held according to the headers of a response, before any 429', async () => {
    const worker = stage.deliverer();
    limited(worker, 5, 1_000);
    worker.platform.script = ({ chatId, text }) => ({
      remoteId: `id of ${text}` as never,
      rates: [{ key: `chat:${chatId}`, remaining: text === 'second' ? 0 : 3, resetAfterMs: 60_000 }],
    });
    const conversation = await stage.conversation();
    await stage.link(conversation, connection, 'a');
    for (const text of ['first', 'second', 'third']) await stage.send(conversation, text);
    await worker.run(connection);
    expect(worker.platform.texts()).toEqual(['first', 'second']);
  });
});

describe('a method at its rate limit', () => {
  it('does not affect the account and its other methods', async () => {
    const worker = stage.deliverer();
    worker.platform.buckets = ({ action }) =>
      action === 'update' ? [{ key: 'update', scope: 'method', count: 50, perMs: 60_000 }] : [];
    const conversation = await stage.conversation();
    await stage.link(conversation, connection, 'a');
    const { id } = await stage.send(conversation, 'old');
    await worker.run(connection);
    await stage.messages.edit(stage.scope, id, { text: 'new' });
    worker.platform.script = ({ action }) => {
      if (action === 'update') throw problem({ kind: 'rate_limited', retryAfterMs: 60_000, scope: 'method' });
      return undefined;
    };
    await worker.run(connection);
    await inChats(3);
    await worker.run(connection);
    expect(worker.platform.calls.filter(({ action }) => action === 'update')).toHaveLength(1);
    expect(worker.platform.texts()).toHaveLength(5);
  });
});

describe('an account with revoked credentials', () => {
  it('is not called again by waiting sends', async () => {
    await inChats(30);
    const worker = paced(5);
    worker.platform.script = (_call, number) => {
      if (number >= 3) throw problem({ kind: 'unauthorized' });
      return undefined;
    };
    await worker.run(connection);
    expect(worker.platform.calls.length).toBe(3);
    expect(worker.platform.refusals).toHaveLength(1);
    const { rows } = await stage.pool.query(
      `SELECT status, count(*)::int AS n FROM deliveries WHERE connection_id = $1 GROUP BY 1 ORDER BY 1`,
      [connection],
    );
    expect(rows).toEqual([
      { status: 'queued', n: 28 },
      { status: 'sent', n: 2 },
    ]);
  });
});
