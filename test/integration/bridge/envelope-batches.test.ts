import { v7 as uuidv7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import type { Taken } from '../../../src/core/inbound/ports.js';
import { Receive } from '../../../src/core/inbound/receive.js';
import { PostgresInbound } from '../../../src/store/inbound/inbound.js';
import { type BridgeStage, bridgeStage, NOW } from '../../support/bridge.js';
import { beforeEachOn } from '../../support/each-test.js';
import { recordingLog } from '../../support/log.js';
import { values } from '../../support/people.js';

let stage: BridgeStage;
let connection: string;
let other: string;

beforeEachOn(async ({ pool }) => {
  stage = await bridgeStage(pool);
  connection = await stage.connection('alpha');
  other = await stage.connection('beta');
});

/** Chats that are bridged to `other` and already have a message. */
async function chats(count: number, kind: 'group' | 'direct' = 'group'): Promise<string[]> {
  const names = Array.from({ length: count }, (_, n) => `chat-${n}`);
  for (const name of names) {
    const conversation = await stage.conversation(kind);
    await stage.link(conversation, connection, name);
    await stage.link(conversation, other, `copy-of-${name}`);
    await stage.post(connection, name, 'First', { sender: `of ${name}`, kind });
  }
  return names;
}

const postTo = (chat: string, text: string, more: object = {}) =>
  stage.post(connection, chat, text, { sender: `of ${chat}`, ...more });

const textsOf = (chat: string) =>
  values<string>(
    stage.pool,
    `SELECT m.text FROM messages m JOIN links l ON l.conversation_id = m.conversation_id
     WHERE l.connection_id = $1 AND l.external_id = $2 AND m.direction = 'inbound' ORDER BY m.created_at, m.id`,
    [connection, chat],
  );

const said = (taken: readonly Taken[]) =>
  Promise.all(
    taken.map(async ({ message }) => (message === null ? null : (await stage.message(message.id)).text)),
  );

const transactions = (texts: readonly string[]) =>
  values<string>(
    stage.pool,
    'SELECT DISTINCT xmin::text FROM messages WHERE workspace_id = $1 AND text = ANY ($2)',
    [stage.workspaceId, texts],
  );

describe('messages of several chats that arrive at the same time', () => {
  it('are stored by one transaction, each with its copy, its events and its entry in the id map', async () => {
    const names = await chats(6);
    const taken = await Promise.all(
      names.map((name) => postTo(name, `To ${name}`, { messageId: `m-${name}` })),
    );
    expect(await transactions(names.map((name) => `To ${name}`))).toHaveLength(1);
    for (const [index, { stored, message }] of taken.entries()) {
      const name = names[index];
      expect([stored, message?.text, message?.direction]).toEqual([true, `To ${name}`, 'inbound']);
      expect(await stage.message(message!.id)).toEqual(message);
      expect(message?.deliveries).toMatchObject([
        { connection_id: other, external_chat_id: `copy-of-${name}` },
      ]);
      expect(await stage.events(message!.id)).toEqual(['message.created', 'delivery.updated']);
      expect((await stage.inbound.findMessage(connection, `m-${name}`))?.id).toBe(message?.id);
    }
    expect(await stage.deliveries.claim(other, 100)).toHaveLength(6);
    const received = 'SELECT sum(received)::int FROM connection_inflow WHERE connection_id = $1';
    expect(await values(stage.pool, received, [connection])).toEqual([12]);
  });

  it('are returned by their ids alone when there is no subscriber, and their copies are queued', async () => {
    const names = await chats(2);
    await stage.pool.query('DELETE FROM event_interest WHERE workspace_id = $1', [stage.workspaceId]);
    const [one, two] = await Promise.all(
      names.map((name) =>
        stage.inbound.receive(
          connection,
          { dedupeKey: `m-${name}`, lane: name, payload: null },
          [
            {
              type: 'message',
              at: NOW,
              chat: { id: name, kind: 'group' },
              messageId: `m-${name}`,
              sender: { id: `of ${name}`, displayName: `of ${name}` },
              content: { text: 'Unheard', spans: [], attachments: [] },
            } as never,
          ],
          'processed',
        ),
      ),
    );
    expect(one).toEqual({ stored: true, message: { id: expect.any(String) } });
    expect(two).toEqual({ stored: true, message: { id: expect.any(String) } });
    const copies = 'SELECT status FROM deliveries WHERE message_id = ANY ($1) AND connection_id = $2';
    const ids = [one!.message!.id, two!.message!.id];
    expect(await values<string>(stage.pool, copies, [ids, other])).toEqual(['queued', 'queued']);
    const reminder = `SELECT topic FROM outbox WHERE payload->>'connection_id' = $1`;
    expect(await values<string>(stage.pool, reminder, [other])).toContain('deliver');
    expect((await stage.message(one!.message!.id)).text).toBe('Unheard');
    expect(await stage.events(one!.message!.id)).toEqual([]);
  });

  it('don’t wait for one whose conversation another transaction has locked', async () => {
    const [held = '', free = '', third = ''] = await chats(3);
    const client = await stage.pool.connect();
    try {
      await client.query('BEGIN');
      await client.query(
        'SELECT FROM conversations WHERE id = (SELECT conversation_id FROM links WHERE connection_id = $1 AND external_id = $2) FOR UPDATE',
        [connection, held],
      );
      const waiting = postTo(held, 'Held');
      await Promise.all([postTo(free, 'Free'), postTo(third, 'Free')]);
      // Later messages of the same chat wait as well. Other chats continue.
      const behind = postTo(held, 'Behind');
      await Promise.all([postTo(free, 'More'), postTo(third, 'More')]);
      expect(await textsOf(held)).toEqual(['First']);
      await client.query('COMMIT');
      await Promise.all([waiting, behind]);
    } finally {
      client.release();
    }
    expect(await textsOf(held)).toEqual(['First', 'Held', 'Behind']);
    expect(await textsOf(free)).toEqual(['First', 'Free', 'More']);
  });

  it('are stored once, however often the platform delivers them', async () => {
    const [one = '', two = ''] = await chats(2);
    const again = { messageId: 'same', dedupeKey: 'same' };
    const taken = await Promise.all([
      postTo(one, 'Once', again),
      postTo(two, 'Else'),
      postTo(one, 'Once', again),
      postTo(one, 'Once', { messageId: 'same', dedupeKey: 'of another envelope' }),
    ]);
    expect(taken.map(({ stored }) => stored)).toEqual([true, true, false, true]);
    expect(taken.map(({ message }) => message?.text ?? null)).toEqual(['Once', 'Else', null, null]);
    const repeated = await Promise.all([postTo(one, 'Once', again), postTo(two, 'New')]);
    expect(repeated.map(({ stored }) => stored)).toEqual([false, true]);
    expect(await textsOf(one)).toEqual(['First', 'Once']);
  });
});

describe('an invalid envelope among valid ones', () => {
  it('is postponed alone', async () => {
    const names = await chats(5);
    // Without an id, the database refuses the event at the end of the transaction.
    const event = (chat: string, messageId: string | null) => ({
      type: 'message',
      at: NOW,
      chat: { id: chat, kind: 'group' },
      messageId,
      sender: { id: `of ${chat}`, displayName: `of ${chat}` },
      content: { text: 'Good', spans: [], attachments: [] },
    });
    const decode = async (_: string, { payload }: { payload: unknown }) => [payload as never];
    const log = recordingLog();
    const receive = new Receive(stage.inbound, { decode } as never, log);
    const taken = await Promise.all(
      names.map((name, n) =>
        receive.envelope(connection, {
          dedupeKey: `of ${name}`,
          lane: name,
          payload: event(name, n === 2 ? null : uuidv7()) as never,
        }),
      ),
    );
    expect(taken.map(({ stored }) => stored)).toEqual([true, true, true, true, true]);
    expect(await said(taken)).toEqual(['Good', 'Good', null, 'Good', 'Good']);
    const pending = `SELECT dedupe_key FROM envelopes WHERE connection_id = $1 AND status = 'pending'`;
    expect(await values(stage.pool, pending, [connection])).toEqual([`of ${names[2]}`]);
    expect(log.lines.map(({ event: told }) => told)).toEqual(['envelope.postponed']);
  });
});

describe('messages that arrive together in one conversation', () => {
  it('by two links are each relayed to the other link, and a reply refers to its original', async () => {
    const conversation = await stage.conversation();
    await stage.link(conversation, connection, 'here');
    await stage.link(conversation, other, 'there');
    const { message: root } = await stage.post(connection, 'here', 'Root', { messageId: 'root' });
    await stage.post(other, 'there', 'Known', { sender: 'ben' });
    const [here, there] = await Promise.all([
      stage.post(connection, 'here', 'Answer', { replyToId: 'root' }),
      stage.post(other, 'there', 'Beside', { sender: 'ben', replyToId: 'nobody knows' }),
    ]);
    expect(await transactions(['Answer', 'Beside'])).toHaveLength(1);
    expect(here.message).toMatchObject({ reply_to_id: root?.id, conversation_id: conversation });
    expect(there.message).toMatchObject({ reply_to_id: null, conversation_id: conversation });
    expect(here.message?.conversation_number).toBe(there.message?.conversation_number);
    expect(here.message?.deliveries.map(({ connection_id: id }) => id)).toEqual([other]);
    expect(there.message?.deliveries.map(({ connection_id: id }) => id)).toEqual([connection]);
    expect((await stage.message(root!.id)).deliveries).toHaveLength(1);
  });
});

describe('messages that arrive together in one chat', () => {
  it('keep their order, even around edits and messages from new senders', async () => {
    const names = await chats(4);
    const report = (name: string, event: object) =>
      stage.inbound.receive(
        connection,
        { dedupeKey: uuidv7(), lane: name, payload: null },
        [{ at: NOW, chat: { id: name, kind: 'group' }, ...event } as never],
        'processed',
      );
    await Promise.all(
      names.flatMap((name) => [
        ...Array.from({ length: 20 }, (_, n) => postTo(name, `${n}`)),
        postTo(name, 'Draft', { messageId: `edited in ${name}` }),
        report(name, {
          type: 'message_edited',
          messageId: `edited in ${name}`,
          content: { text: 'Final', spans: [], attachments: [] },
        }),
        postTo(name, 'Of somebody new', { sender: `new in ${name}` }),
        ...Array.from({ length: 20 }, (_, n) => postTo(name, `${n + 20}`)),
      ]),
    );
    const numbers = Array.from({ length: 40 }, (_, n) => `${n}`);
    const wanted = ['First', ...numbers.slice(0, 20), 'Final', 'Of somebody new', ...numbers.slice(20)];
    for (const name of names) expect(await textsOf(name)).toEqual(wanted);
  });

  it('have the same effects on keywords, names and blocks as when they arrive one by one', async () => {
    const [stops = '', renamed = '', blocked = '', plain = ''] = await chats(4, 'direct');
    const direct = { kind: 'direct' as const };
    const { message } = await postTo(blocked, 'Before', direct);
    await stage.pool.query(`UPDATE users SET status = 'blocked' WHERE id = $1`, [message?.sender_id]);
    const taken = await Promise.all([
      postTo(stops, 'STOP', direct),
      stage.inbound.receive(
        connection,
        { dedupeKey: 'renamed', lane: renamed, payload: null },
        [
          {
            type: 'message',
            at: NOW,
            chat: { id: renamed, kind: 'direct' },
            messageId: 'renamed',
            sender: { id: `of ${renamed}`, displayName: 'Renée' },
            content: { text: 'Hi', spans: [], attachments: [] },
          } as never,
        ],
        'processed',
      ),
      postTo(blocked, 'After', direct),
      postTo(plain, 'Plain', direct),
      postTo('nobody linked it', 'New', direct),
    ]);
    expect(await said(taken)).toEqual(['STOP', 'Hi', null, 'Plain', 'New']);
    const person = (index: number) =>
      values<string>(
        stage.pool,
        `SELECT u.display_name || ' ' || (u.stopped_at IS NOT NULL) FROM messages m JOIN users u ON u.id = m.sender_id WHERE m.id = $1`,
        [taken[index]?.message?.id],
      );
    expect(await person(0)).toEqual([`of ${stops} true`]);
    expect(await person(1)).toEqual(['Renée false']);
    expect(await textsOf(blocked)).toEqual(['First', 'Before']);
  });
});

it('two processes that receive for the same people and chats can’t deadlock', async () => {
  const names = await chats(8);
  const deadlocks = 'SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()';
  const [before] = await values<number>(stage.pool, deadlocks);
  const processes = [new PostgresInbound(stage.pool), new PostgresInbound(stage.pool)];
  const take = (inbound: PostgresInbound, chat: string, number: number) =>
    inbound.receive(
      connection,
      { dedupeKey: `${chat} ${number}`, lane: chat, payload: null },
      [
        {
          type: 'message',
          at: NOW,
          chat: { id: chat, kind: 'group' },
          messageId: `${chat} ${number}`,
          sender: {
            id: `of ${names[number % names.length]}`,
            displayName: `of ${names[number % names.length]}`,
          },
          content: { text: `${number}`, spans: [], attachments: [] },
        } as never,
      ],
      'processed',
    );
  // Both processes receive everything, in opposite orders.
  const all = names.flatMap((chat) => Array.from({ length: 12 }, (_, number) => ({ chat, number })));
  const taken = await Promise.all(
    processes.flatMap((inbound, index) =>
      (index === 0 ? all : all.toReversed()).map(({ chat, number }) => take(inbound, chat, number)),
    ),
  );
  expect(taken.filter(({ stored }) => stored)).toHaveLength(all.length);
  for (const name of names) expect(await textsOf(name)).toHaveLength(13);
  expect(await values(stage.pool, deadlocks)).toEqual([before]);
});
