import { beforeEach, describe, expect, it } from 'vitest';
import { remoteChatId, remoteMessageId } from '../../../src/contract/index.js';
import { type BridgeStage, bridgeStage } from '../../support/bridge.js';
import { beforeEachOn } from '../../support/each-test.js';
import { values } from '../../support/people.js';
import { problem, type ScriptedPlatform } from '../../support/scripted-platform.js';

let stage: BridgeStage;
let connection: string;
let conversation: string;
let platform: ScriptedPlatform;
let worker: ReturnType<BridgeStage['deliverer']>;

beforeEachOn(async ({ pool }) => {
  stage = await bridgeStage(pool);
  connection = await stage.connection('alpha');
  conversation = await stage.conversation();
  await stage.link(conversation, connection, 'old');
  worker = stage.deliverer();
  platform = worker.platform;
});

const calls = () => platform.calls.map(({ chatId, action, text }) => `${chatId} ${action} ${text}`);

/** The platform redirects a writer to the new address of the chat. */
const moves = (...way: readonly string[]) => {
  platform.script = ({ chatId }) => {
    const to = way[way.indexOf(chatId) + 1];
    if (way.includes(chatId) && to !== undefined)
      throw problem({ kind: 'moved', toChatId: remoteChatId(to) });
    return undefined;
  };
};

describe('a chat that has moved', () => {
  it('works at its new address, even if the account was reported to have left the old one', async () => {
    const chat = { id: 'old', kind: 'group' };
    await stage.report(connection, {
      type: 'membership',
      chat,
      user: { id: 'bot' },
      self: true,
      change: 'left',
    });
    await stage.report(connection, { type: 'chat_moved', chat, toChatId: 'new' });
    await stage.send(conversation, 'one');
    await worker.run(connection);
    expect(calls()).toEqual(['new create one']);
  });
});

describe('a chat that has moved to a chat of another conversation', () => {
  beforeEach(async () => {
    await stage.link(await stage.conversation(), connection, 'new');
    moves('old', 'new');
  });

  it('receives its messages there, each after one call that reports the move', async () => {
    const { id } = await stage.send(conversation, 'one\ntwo');
    await worker.run(connection);
    await stage.send(conversation, 'three');
    await worker.run(connection);
    expect(calls()).toEqual([
      'old create one',
      'new create one',
      'new create two',
      'old create three',
      'new create three',
    ]);
    expect(await stage.delivery(id)).toMatchObject({
      status: 'sent',
      attempt_count: 1,
      external_chat_id: 'new',
    });
    expect(
      await values(
        stage.pool,
        'SELECT DISTINCT external_chat_id FROM remote_messages WHERE message_id = $1',
        [id],
      ),
    ).toEqual(['new']);
  });

  it('has its messages edited there as well', async () => {
    const { id } = await stage.send(conversation, 'x');
    await worker.run(connection);
    platform.calls.length = 0;
    await stage.messages.edit(stage.scope, id, { text: 'y' });
    await worker.run(connection);
    expect(calls()).toEqual(['old update y', 'new update y']);
    expect(await stage.delivery(id)).toMatchObject({ status: 'sent', revision: 2, degradations: [] });
  });
});

describe('a chat whose new address numbers its messages from the start', () => {
  const chat = { id: 'old', kind: 'group' };
  const report = () =>
    stage.report(connection, { type: 'chat_moved', chat, toChatId: 'new', renumbered: true });
  /** A message that was sent to the old chat, where the platform gave it this id. */
  const sentAs = async (id: string, text = 'x') => {
    platform.script = () => ({ remoteId: remoteMessageId(id) });
    const sent = await stage.send(conversation, text);
    await worker.run(connection);
    platform.script = () => undefined;
    platform.calls.length = 0;
    return sent;
  };

  it('keeps a message whose id also exists in the old chat', async () => {
    const before = await stage.post(connection, 'old', 'before', { messageId: '1' });
    await sentAs('2');
    await report();
    const [one, two] = [
      await stage.post(connection, 'new', 'one', { messageId: '1', dedupeKey: 'one' }),
      await stage.post(connection, 'new', 'two', { messageId: '2', dedupeKey: 'two' }),
    ];
    expect([one.message, two.message]).toMatchObject([
      { text: 'one', conversation_id: conversation },
      { text: 'two', conversation_id: conversation },
    ]);
    const content = { text: 'changed', spans: [], attachments: [] };
    await stage.report(connection, {
      type: 'message_edited',
      chat: { id: 'new', kind: 'group' },
      messageId: '1',
      content,
    });
    expect(await stage.message(before.message!.id)).toMatchObject({ text: 'before' });
    expect(await stage.message(one.message!.id)).toMatchObject({ text: 'changed' });
  });

  it.each(['by an event', 'by an error'])(
    'does not change messages from before the move: reported %s',
    async (way) => {
      const { id } = await sentAs('7');
      if (way === 'by an event') await report();
      else
        platform.script = ({ chatId }) => {
          if (chatId === 'old')
            throw problem({ kind: 'moved', toChatId: remoteChatId('new'), renumbered: true });
          return undefined;
        };
      await stage.messages.edit(stage.scope, id, { text: 'y' });
      await worker.run(connection);
      expect(calls().filter((call) => call.startsWith('new'))).toEqual([]);
      expect(await stage.delivery(id)).toMatchObject({ status: 'sent', degradations: ['edit'] });
      await stage.messages.delete(stage.scope, id, stage.memberId);
      await worker.run(connection);
      expect(calls().filter((call) => call.startsWith('new'))).toEqual([]);
    },
  );

  it('receives replies to messages from before the move without their old ids', async () => {
    const { id } = await sentAs('7');
    platform.script = ({ chatId }) => {
      if (chatId === 'old') throw problem({ kind: 'moved', toChatId: remoteChatId('new'), renumbered: true });
      return undefined;
    };
    await stage.send(conversation, 'z', { reply_to_id: id });
    await worker.run(connection);
    await stage.send(conversation, 'and', { reply_to_id: id });
    await worker.run(connection);
    expect(platform.calls.map(({ chatId, replyToId }) => `${chatId} ${replyToId}`)).toEqual([
      'old 7',
      'new undefined',
      'new undefined',
    ]);
  });
});

it('a chat that moves again is followed by the next attempt', async () => {
  moves('old', 'newer', 'newest');
  const { id } = await stage.send(conversation, 'x');
  await worker.run(connection);
  expect(calls()).toEqual(['old create x', 'newer create x']);
  expect(await stage.delivery(id)).toMatchObject({ status: 'queued', attempt_count: 1 });
  await stage.makeDue();
  await worker.run(connection);
  expect(calls().slice(2)).toEqual(['newer create x', 'newest create x']);
  expect(await stage.delivery(id)).toMatchObject({ status: 'sent', attempt_count: 2 });
});

it('a chat that moves in a circle fails its message after the last attempt', async () => {
  moves('old', 'new', 'old');
  const { id } = await stage.send(conversation, 'x');
  for (let n = 0; n < 7; n += 1) {
    await worker.run(connection);
    await stage.makeDue();
  }
  expect(calls()).toHaveLength(10);
  expect(await stage.delivery(id)).toMatchObject({ status: 'failed', error: { code: 'recipient_gone' } });
});
