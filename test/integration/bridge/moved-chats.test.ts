import { beforeEach, describe, expect, it } from 'vitest';
import { remoteChatId } from '../../../src/contract/index.js';
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

/** Who writes to a chat is told where it is now. */
const moves = (...way: readonly string[]) => {
  platform.script = ({ chatId }) => {
    const to = way[way.indexOf(chatId) + 1];
    if (way.includes(chatId) && to !== undefined)
      throw problem({ kind: 'moved', toChatId: remoteChatId(to) });
    return undefined;
  };
};

describe('a chat that has moved', () => {
  it('is there at its new address, though the account was said to have left the old one', async () => {
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

describe('a chat that has moved to one that another conversation has', () => {
  beforeEach(async () => {
    await stage.link(await stage.conversation(), connection, 'new');
    moves('old', 'new');
  });

  it('gets its messages there, after one call each that tells of it', async () => {
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

  it('has them changed there as well', async () => {
    const { id } = await stage.send(conversation, 'x');
    await worker.run(connection);
    platform.calls.length = 0;
    await stage.messages.edit(stage.scope, id, { text: 'y' });
    await worker.run(connection);
    expect(calls()).toEqual(['old update y', 'new update y']);
    expect(await stage.delivery(id)).toMatchObject({ status: 'sent', revision: 2, degradations: [] });
  });
});

it('a chat that moves again is followed by the next try', async () => {
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

it('a chat that moves in a circle fails its message once the tries are spent', async () => {
  moves('old', 'new', 'old');
  const { id } = await stage.send(conversation, 'x');
  for (let n = 0; n < 7; n += 1) {
    await worker.run(connection);
    await stage.makeDue();
  }
  expect(calls()).toHaveLength(10);
  expect(await stage.delivery(id)).toMatchObject({ status: 'failed', error: { code: 'recipient_gone' } });
});
