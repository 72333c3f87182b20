import { beforeEach, describe, expect, it } from 'vitest';
import { decode as decodeDiscord } from '../../../adapters/discord/inbound/decode.js';
import { decode } from '../../../adapters/telegram/inbound/decode.js';
import type { JsonValue } from '../../../src/contract/index.js';
import { Receive } from '../../../src/core/inbound/receive.js';
import { type BridgeStage, bridgeStage, ended, sent } from '../../support/bridge.js';
import { beforeEachOn } from '../../support/each-test.js';
import { recordingLog } from '../../support/log.js';
import { eventsOf, values } from '../../support/people.js';

const CHANNEL = { id: -1001, type: 'channel', title: 'News' };
const GROUP = { id: -1002, type: 'supergroup', title: 'News chat' };
const C = String(CHANNEL.id);
const G = String(GROUP.id);

let stage: BridgeStage;
let connection: string;
let updates = 0;
let receive: Receive;

beforeEachOn(async ({ pool }) => {
  stage = await bridgeStage(pool);
  connection = await stage.connection('telegram');
  receive = new Receive(stage.inbound, { decode: async (_, envelope) => decode(envelope) }, recordingLog());
});

async function update(body: Record<string, JsonValue>): Promise<void> {
  updates += 1;
  const payload = { update_id: updates, ...body };
  await receive.envelope(connection, {
    dedupeKey: String(updates),
    lane: String(updates),
    payload,
    context: { bot_id: '9' },
  });
}

const date = 1_700_000_000;
/** A post of a person in the channel. */
const post = (message_id: number, text: string, more: Record<string, JsonValue> = {}) =>
  update({ channel_post: { message_id, chat: CHANNEL, sender_chat: CHANNEL, date, text, ...more } });
/** The copy that Telegram puts into the discussion group. */
const forwarded = (message_id: number, original: number, text: string): Record<string, JsonValue> => ({
  ...{ message_id, chat: GROUP, date, text, from: { id: 777_000, is_bot: false, first_name: 'Telegram' } },
  ...{ sender_chat: CHANNEL, is_automatic_forward: true },
  forward_origin: { type: 'channel', chat: CHANNEL, message_id: original, date },
});
const forward = (message_id: number, original: number, text: string) =>
  update({ message: forwarded(message_id, original, text) });
const comment = (message_id: number, replyTo: number, text: string) =>
  update({
    message: {
      ...{ message_id, chat: GROUP, date, text, from: { id: 5, is_bot: false, first_name: 'Ben' } },
      ...{ message_thread_id: replyTo, reply_to_message: { message_id: replyTo, chat: GROUP, date } },
    },
  });

const texts = () =>
  values<string>(stage.pool, 'SELECT text FROM messages WHERE workspace_id = $1 ORDER BY id', [
    stage.workspaceId,
  ]);
const deliveries = () =>
  values<string>(
    stage.pool,
    `SELECT d.external_chat_id || ': ' || m.text FROM deliveries d JOIN messages m ON m.id = d.message_id WHERE d.workspace_id = $1 ORDER BY d.position`,
    [stage.workspaceId],
  );
const conversations = async () =>
  (
    await values<number>(stage.pool, 'SELECT count(*)::int FROM conversations WHERE workspace_id = $1', [
      stage.workspaceId,
    ])
  )[0];
const madeEvents = async () =>
  (await eventsOf(stage.pool, stage.workspaceId, '%.created')).map(({ type }) => type);

/** Sends and records waiting messages, with ids that count up in each chat. */
async function write(first = 50): Promise<void> {
  const tasks = await stage.deliveries.claim(connection, 10);
  await stage.deliveries.settle(tasks.map((task) => sent(task, String(first))));
}

describe('the automatic forward of a channel post in its discussion group', () => {
  describe.each([
    { name: 'with both in one conversation', links: [[C, G]], sentTo: [C, G] },
    { name: 'with each in a conversation of its own', links: [[C], [G]], sentTo: [C] },
    { name: 'with the channel alone', links: [[C]], sentTo: [C] },
  ])('$name', ({ links, sentTo }) => {
    let conversation: string;
    beforeEach(async () => {
      for (const chats of links) {
        const made = await stage.conversation();
        conversation = chats.includes(C) ? made : conversation;
        for (const chat of chats) await stage.link(made, connection, chat);
      }
    });

    it('is our post: one post in each chat, one message, no conversation and no event', async () => {
      await stage.send(conversation, 'Hello');
      await write();
      const before = [await conversations(), await madeEvents()];
      for (let n = 0; n < 3; n += 1) await forward(60 + n, 50, 'Hello');
      await update({ edited_message: { ...forwarded(60, 50, 'Hello there'), edit_date: date + 1 } });
      expect(await texts()).toEqual(['Hello']);
      expect(await deliveries()).toEqual(sentTo.map((chat) => `${chat}: Hello`));
      expect([await conversations(), await madeEvents()]).toEqual(before);
    });

    it('is identified as our post even before its send is recorded', async () => {
      await stage.send(conversation, 'Hello');
      const tasks = await stage.deliveries.claim(connection, 10);
      await forward(60, 50, 'Hello');
      await comment(61, 60, 'Nice');
      await stage.deliveries.settle(
        tasks.map((task) => sent(task, task.link.external_id === C ? '50' : '55')),
      );
      expect(await texts()).toEqual(['Hello', 'Nice']);
      const [together] = links;
      const answer = await values(
        stage.pool,
        "SELECT reply_to_id IS NOT NULL FROM messages WHERE text = 'Nice' AND workspace_id = $1",
        [stage.workspaceId],
      );
      expect(answer).toEqual([together?.length === 2]);
    });

    it('is stored as one message with a person’s post and its edits, whichever arrives first', async () => {
      await post(70, 'One');
      await forward(80, 70, 'One');
      await forward(81, 71, 'Two');
      await post(71, 'Two');
      await update({ edited_message: { ...forwarded(80, 70, 'One, edited'), edit_date: date + 1 } });
      expect(await texts()).toEqual(['One', 'Two']);
      await update({
        edited_channel_post: {
          message_id: 70,
          chat: CHANNEL,
          date,
          text: 'One, edited',
          edit_date: date + 1,
        },
      });
      expect(await texts()).toEqual(['One, edited', 'Two']);
      expect(await deliveries()).toEqual(links[0]?.length === 2 ? [`${G}: One, edited`, `${G}: Two`] : []);
    });
  });

  describe('with another bot in the group', () => {
    let other: string;
    beforeEach(async () => {
      other = await stage.connection('telegram');
      const conversation = await stage.conversation();
      await stage.link(conversation, connection, C);
      await stage.link(conversation, other, G);
      await stage.send(conversation, 'Hello');
    });

    const heardByOther = async (original: number, text: string) => {
      const first = connection;
      connection = other;
      await forward(60 + original, original, text).finally(() => {
        connection = first;
      });
    };

    it.each(['before', 'after'])('is identified as our post %s its send is recorded', async (moment) => {
      const tasks = await stage.deliveries.claim(connection, 10);
      if (moment === 'before') await heardByOther(50, 'Hello');
      await stage.deliveries.settle(tasks.map((task) => sent(task, '50')));
      await heardByOther(50, 'Hello');
      expect(await texts()).toEqual(['Hello']);
      expect(await deliveries()).toEqual([`${C}: Hello`, `${G}: Hello`]);
    });

    it('is stored as one message with a person’s post, whichever arrives first', async () => {
      await write();
      await post(70, 'One');
      await heardByOther(70, 'One');
      await heardByOther(71, 'Two');
      await post(71, 'Two');
      expect(await texts()).toEqual(['Hello', 'One', 'Two']);
      const toGroup = [`${G}: Hello`, `${G}: One`, `${G}: Two`];
      expect(await deliveries()).toEqual([`${C}: Hello`, ...toGroup]);
    });

    it('is stored once as its own message when the post does not arrive within a minute', async () => {
      await write();
      await heardByOther(70, 'News');
      const age = `UPDATE parked_events SET received_at = received_at - interval '61 s' WHERE workspace_id = $1`;
      await stage.pool.query(age, [stage.workspaceId]);
      await stage.deliveries.sweep();
      await post(70, 'News');
      expect(await texts()).toEqual(['Hello', 'News']);
    });
  });

  it('of each item of an album is identified as the same message', async () => {
    const conversation = await stage.conversation();
    await stage.link(conversation, connection, C);
    await stage.link(conversation, connection, G);
    await stage.send(conversation, 'Album');
    const tasks = await stage.deliveries.claim(connection, 10);
    await stage.deliveries.settle(
      tasks.map((task) => ({
        ...sent(task),
        parts: [0, 1, 2].map((index) => ({
          index,
          kind: 'media',
          status: 'sent',
          external_id: String(50 + index),
        })),
      })) as never,
    );
    for (let n = 0; n < 3; n += 1) await forward(60 + n, 50 + n, n === 0 ? 'Album' : 'Photo');
    expect(await texts()).toEqual(['Album']);
  });

  it('has comments, which are replies to the post in the channel', async () => {
    const conversation = await stage.conversation();
    await stage.link(conversation, connection, C);
    await stage.link(conversation, connection, G);
    await post(70, 'News');
    await forward(80, 70, 'News');
    await comment(81, 80, 'Nice');
    const [original, reply] = await values<{ id: string; reply_to_id: string | null }>(
      stage.pool,
      `SELECT json_build_object('id', id, 'reply_to_id', reply_to_id) FROM messages WHERE workspace_id = $1 ORDER BY id`,
      [stage.workspaceId],
    );
    expect(reply?.reply_to_id).toBe(original?.id);
    const tasks = await stage.deliveries.claim(connection, 10);
    await stage.deliveries.settle(tasks.map((task) => sent(task, '90')));
    const relayed = [...tasks, ...(await stage.deliveries.claim(connection, 10))].find(
      ({ message }) => message.text === 'Nice',
    );
    expect([relayed?.link.external_id, relayed?.reply_to_external_id]).toEqual([C, '70']);
  });

  it('shows people’s reactions to it in the channel', async () => {
    const conversation = await stage.conversation();
    await stage.link(conversation, connection, C);
    await stage.link(conversation, connection, G, { direction: 'inbound' });
    await post(70, 'News');
    await forward(80, 70, 'News');
    const user = { id: 5, is_bot: false, first_name: 'Ben' };
    const emoji = [{ type: 'emoji', emoji: '👍' }];
    await update({
      message_reaction: { chat: GROUP, message_id: 80, user, date, old_reaction: [], new_reaction: emoji },
    });
    const wanted = `SELECT l.external_id FROM reaction_copies x JOIN links l ON l.id = x.link_id WHERE x.workspace_id = $1 AND x.wanted`;
    expect(await values(stage.pool, wanted, [stage.workspaceId])).toEqual([C]);
  });

  it('is stored once as a normal message when the channel is not linked', async () => {
    await stage.link(await stage.conversation(), connection, G);
    await forward(80, 70, 'News');
    await post(70, 'News');
    await update({ edited_message: { ...forwarded(80, 70, 'News, edited'), edit_date: date + 1 } });
    expect(await texts()).toEqual(['News, edited']);
    expect(await conversations()).toBe(1);
  });

  it('is stored as its own message when the post does not arrive within a minute', async () => {
    const conversation = await stage.conversation();
    await stage.link(conversation, connection, C);
    await stage.link(conversation, connection, G);
    await forward(80, 70, 'News');
    expect(await texts()).toEqual([]);
    const age = `UPDATE parked_events SET received_at = received_at - interval '61 s' WHERE workspace_id = $1`;
    await stage.pool.query(age, [stage.workspaceId]);
    await stage.deliveries.sweep();
    expect(await deliveries()).toEqual([`${C}: News`]);
    await post(70, 'News');
    expect(await texts()).toEqual(['News']);
  });

  it('counts as our post while the outcome of the send is unknown', async () => {
    const conversation = await stage.conversation();
    await stage.link(conversation, connection, C);
    await stage.send(conversation, 'Hello');
    await stage.deliveries.settle([ended(await stage.claimOne(connection), 'uncertain')]);
    await stage.pool.query(
      "UPDATE links SET leased_until = now() + interval '1 minute' WHERE external_id = $1",
      [C],
    );
    await forward(60, 50, 'Hello');
    const age = `UPDATE parked_events SET received_at = received_at - interval '61 s' WHERE workspace_id = $1`;
    await stage.pool.query(age, [stage.workspaceId]);
    await stage.deliveries.sweep();
    expect(await texts()).toEqual(['Hello']);
  });
});

describe('a published announcement of Discord in a channel that follows', () => {
  it('is identified as our message', async () => {
    connection = await stage.connection('discord');
    receive = new Receive(
      stage.inbound,
      { decode: async (_, envelope) => decodeDiscord(envelope) },
      recordingLog(),
    );
    const conversation = await stage.conversation();
    await stage.link(conversation, connection, '10');
    await stage.link(conversation, connection, '11');
    await stage.send(conversation, 'Hello');
    await write(1000);
    const published = {
      ...{
        id: '2000',
        channel_id: '11',
        guild_id: '20',
        content: 'Hello',
        type: 0,
        flags: 2,
        webhook_id: '3',
      },
      author: { id: '3', username: 'News #general' },
      timestamp: '2026-01-01T00:00:00.000Z',
      message_reference: { channel_id: '10', guild_id: '20', message_id: '1000' },
    };
    await receive.envelope(connection, {
      dedupeKey: 'x',
      lane: '11',
      payload: { t: 'MESSAGE_CREATE', d: published },
    });
    expect(await texts()).toEqual(['Hello']);
    expect(await deliveries()).toEqual(['10: Hello', '11: Hello']);
  });
});
