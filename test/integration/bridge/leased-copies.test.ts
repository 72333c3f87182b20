import { describe, expect, it } from 'vitest';
import { QueueDispatcher } from '../../../src/app/background/queue-dispatcher.js';
import {
  type Lane,
  type LocalDispatcher,
  noDispatcher,
} from '../../../src/core/deliveries/dispatch/local-dispatcher.js';
import type { DeliveryTask } from '../../../src/core/deliveries/task.js';
import { LocalFirstQueue } from '../../../src/queue/local-first-queue.js';
import { PostgresInbound } from '../../../src/store/inbound/inbound.js';
import { type BridgeStage, bridgeStage, NOW, sent } from '../../support/bridge.js';
import { beforeEachOn } from '../../support/each-test.js';
import { recordingLog } from '../../support/log.js';
import { values } from '../../support/people.js';

let stage: BridgeStage;
let from: string;
let to: string;

beforeEachOn(async ({ pool }) => {
  stage = await bridgeStage(pool);
  from = await stage.connection('alpha');
  to = await stage.connection('beta');
});

/** A process that receives, and that can send for these connections. */
function process(ready: readonly string[] = [to]) {
  const tasks: DeliveryTask[] = [];
  const waiting: Lane[] = [];
  const dispatcher: LocalDispatcher = {
    ...noDispatcher,
    ready: () => ready,
    take: async (leased) => void tasks.push(...leased),
    wake: (lanes) => void waiting.push(...lanes),
  };
  return { tasks, waiting, take: taking(new PostgresInbound(stage.pool, dispatcher)) };
}

const taking = (inbound: PostgresInbound) => (chat: string, text: string) =>
  inbound.receive(
    from,
    { dedupeKey: `${chat} ${text}`, lane: chat, payload: null },
    [
      {
        type: 'message',
        at: NOW,
        chat: { id: chat, kind: 'group' },
        messageId: `${chat} ${text}`,
        sender: { id: `of ${chat}`, displayName: `of ${chat}` },
        content: { text, spans: [], attachments: [] },
      } as never,
    ],
    'processed',
  );

/** Chats that are bridged to another platform and already have a message. */
async function bridged(...names: readonly string[]): Promise<string[]> {
  const before = process([]);
  const links: string[] = [];
  for (const name of names) {
    const conversation = await stage.conversation();
    await stage.link(conversation, from, name);
    await before.take(name, 'hello');
    links.push(await stage.link(conversation, to, `copy of ${name}`));
  }
  return links;
}

const textsOf = (tasks: readonly DeliveryTask[]) => tasks.map(({ message }) => message.text);
const claim = async (maxLanes = 20) => stage.deliveries.claim(to, maxLanes);
const reminders = () =>
  values<string>(stage.pool, `SELECT id::text FROM outbox WHERE payload->>'connection_id' = $1`, [to]);
const statuses = (status: string) =>
  values<string>(
    stage.pool,
    'SELECT m.text FROM deliveries d JOIN messages m ON m.id = d.message_id WHERE d.connection_id = $1 AND d.status = $2 ORDER BY 1',
    [to, status],
  );

describe('copies of inbound messages in a process that sends for their connection', () => {
  it('are leased when they are stored: no other worker claims them or is woken, and their events are written', async () => {
    await bridged('a', 'b');
    const here = process();
    await Promise.all([here.take('a', 'one'), here.take('b', 'two')]);
    expect(textsOf(here.tasks).sort()).toEqual(['one', 'two']);
    expect(here.tasks.map(({ connection_id: id, attempt_count: tries }) => [id, tries])).toEqual([
      [to, 1],
      [to, 1],
    ]);
    expect(await claim()).toEqual([]);
    expect(await reminders()).toEqual([]);
    expect(here.waiting).toEqual([]);
    const moves = await values<string>(
      stage.pool,
      `SELECT data->>'status' FROM events WHERE type = 'delivery.updated' AND data->>'id' = $1 ORDER BY position`,
      [here.tasks[0]?.delivery_id],
    );
    expect(moves).toEqual(['queued', 'sending']);
    await stage.deliveries.settle(here.tasks.map((task) => sent(task)));
    expect(await statuses('sent')).toEqual(['one', 'two']);
  });

  it('are also leased when a message from a new contact arrives alone', async () => {
    const conversation = await stage.conversation();
    await stage.link(conversation, from, 'new');
    await stage.link(conversation, to, 'copy');
    const here = process();
    await here.take('new', 'first');
    expect(textsOf(here.tasks)).toEqual(['first']);
    expect(await reminders()).toEqual([]);
  });

  it('wait in order for a leased lane, and the worker that releases it continues with them', async () => {
    const [link] = await bridged('a', 'b');
    const here = process();
    await here.take('a', '1');
    await Promise.all([here.take('a', '2'), here.take('a', '3'), here.take('b', 'free')]);
    expect(textsOf(here.tasks).sort()).toEqual(['1', 'free']);
    expect(here.waiting).toEqual([1, 2].map(() => ({ connection_id: to, link_id: link })));
    expect(await reminders()).not.toEqual([]);
    expect(await claim()).toEqual([]);
    const results = here.tasks.map((task) => sent(task));
    expect(await stage.deliveries.settle(results)).toEqual([link]);
    const [second] = await claim();
    expect(second?.message.text).toBe('2');
    // Not before the waiting messages, though the lane is free.
    await stage.deliveries.settle([sent(second!)]);
    await here.take('a', '4');
    expect(textsOf(await claim())).toEqual(['3']);
    expect(textsOf(here.tasks)).not.toContain('4');
  });

  it.each([
    ['is another process’', async () => process([])],
    [
      'has to wait',
      async () => {
        await stage.deliveries.pauseConnection(to, new Date(Date.now() + 60_000));
        return process();
      },
    ],
    [
      'was refused',
      async () => {
        await stage.pool.query(`UPDATE connections SET status = 'error' WHERE id = $1`, [to]);
        return process();
      },
    ],
    [
      'has no room in the chat',
      async () => {
        await stage.pool.query(
          `UPDATE links SET held_until = now() + interval '1 min' WHERE connection_id = $1`,
          [to],
        );
        return process();
      },
    ],
  ])('are queued with a wake-up when the connection %s', async (_, prepare) => {
    await bridged('a', 'b');
    const here = await prepare();
    await Promise.all([here.take('a', 'one'), here.take('b', 'two')]);
    expect(here.tasks).toEqual([]);
    expect(await statuses('queued')).toEqual(['one', 'two']);
    expect(await reminders()).not.toEqual([]);
  });

  it('become uncertain when that process dies, and its late result changes nothing', async () => {
    await bridged('a', 'b');
    const dead = process();
    await Promise.all([dead.take('a', 'one'), dead.take('b', 'two')]);
    await stage.pool.query(
      "UPDATE links SET leased_until = now() - interval '1 s' WHERE connection_id = $1",
      [to],
    );
    await stage.deliveries.sweep();
    expect(await statuses('uncertain')).toEqual(['one', 'two']);
    await stage.deliveries.settle(dead.tasks.map((task) => sent(task)));
    expect(await statuses('uncertain')).toEqual(['one', 'two']);
  });

  it('are sent once and in order while other workers check their lanes', async () => {
    const names = ['a', 'b', 'c'];
    await bridged(...names);
    const each = 12;
    const seen: string[] = [];
    const send = async (task: DeliveryTask) => {
      seen.push(`${task.link.external_id} ${task.message.text}`);
      await stage.deliveries.settle([sent(task)]);
    };
    const receivers = [1, 2].map(() => {
      const sends: Promise<void>[] = [];
      const dispatcher: LocalDispatcher = {
        ...noDispatcher,
        ready: () => [to],
        take: async (tasks) => void sends.push(...tasks.map(send)),
        wake: () => undefined,
      };
      return { sends, take: taking(new PostgresInbound(stage.pool, dispatcher)) };
    });
    let open = true;
    const workers = [1, 2].map(async () => {
      for (let tasks = await claim(2); open || tasks.length > 0; tasks = await claim(2)) {
        await Promise.all(tasks.map(send));
      }
    });
    // The messages of one chat arrive one after the other, at either process.
    await Promise.all(
      names.map(async (name, lane) => {
        for (let n = 0; n < each; n += 1)
          await receivers[(n + lane) % 2]?.take(name, String(n).padStart(2, '0'));
      }),
    );
    await Promise.all(receivers.flatMap(({ sends }) => sends));
    open = false;
    await Promise.all(workers);
    while ((await statuses('queued')).length > 0) for (const task of await claim()) await send(task);
    for (const name of names) {
      const own = seen.filter((line) => line.startsWith(`copy of ${name} `));
      expect(own).toEqual(
        Array.from({ length: each }, (_, n) => `copy of ${name} ${String(n).padStart(2, '0')}`),
      );
    }
    expect(await statuses('sent')).toHaveLength(names.length * each);
  });
});

describe('a service that receives and sends', () => {
  /** Built as in the composition root. */
  function service() {
    const { deliver, platform, stop } = stage.deliverer();
    const none = {
      addAll: async () => undefined,
      work: () => undefined,
      ping: async () => undefined,
      counts: async () => [],
    };
    const queue = new LocalFirstQueue({ ...none, close: async () => undefined }, recordingLog());
    const signal = stop.signal;
    queue.work('deliver', { concurrency: 1, canRunLocally: () => platform.usable }, async (payload) => {
      const id = payload.connection_id ?? '';
      await (payload.handed === undefined ? deliver.run(id, signal) : deliver.runHandoff(id, signal));
    });
    const dispatcher = new QueueDispatcher();
    dispatcher.open({ deliver, queue });
    return { deliver, platform, queue, take: taking(new PostgresInbound(stage.pool, dispatcher)) };
  }

  it('sends what it leased with the message, and later messages in the lane', async () => {
    await bridged('a', 'b');
    const { take, platform, deliver, queue } = service();
    // The service sends by itself only for connections for which it has sent before.
    await deliver.run(to, new AbortController().signal);
    await Promise.all([take('a', '1'), take('a', '2'), take('b', 'x'), take('a', '3')]);
    await expect.poll(() => statuses('sent')).toEqual(['1', '2', '3', 'x']);
    const told = platform.calls.filter(({ chatId }) => chatId === 'copy of a').map(({ text }) => text);
    expect(told).toEqual(['of a: 1', 'of a: 2', 'of a: 3']);
    await queue.close();
  });

  it('releases its leases when it can’t send any more', async () => {
    await bridged('a', 'b');
    const { take, platform, deliver, queue } = service();
    await deliver.run(to, new AbortController().signal);
    expect(deliver.capacity.ready()).toEqual([to]);
    const ready = deliver.capacity.ready();
    deliver.capacity.ready = () => ready;
    queue.stopAccepting();
    deliver.stop();
    await Promise.all([take('a', 'one'), take('b', 'two')]);
    expect(platform.calls).toEqual([]);
    expect(textsOf(await claim()).sort()).toEqual(['one', 'two']);
  });
});
