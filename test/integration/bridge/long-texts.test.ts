import { v7 as uuidv7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import { type InboundEvent, plainContent } from '../../../src/contract/index.js';
import { Receive } from '../../../src/core/inbound/receive.js';
import type { MessageRecord } from '../../../src/core/messages/record.js';
import { type BridgeStage, bridgeStage } from '../../support/bridge.js';
import { beforeEachOn } from '../../support/each-test.js';
import { recordingLog } from '../../support/log.js';
import { values } from '../../support/people.js';
import { ScriptedPlatform } from '../../support/scripted-platform.js';

let stage: BridgeStage;
let first: string;
let second: string;
let conversation: string;

beforeEachOn(async ({ pool }) => {
  stage = await bridgeStage(pool);
  [first, second] = [await stage.connection('alpha'), await stage.connection('beta')];
  conversation = await stage.conversation();
  await stage.link(conversation, first, 'a');
  await stage.link(conversation, second, 'b');
});

const long = (words: number, word = 'word') => `${word} `.repeat(words).trimEnd();

/** An event about the message `m1` of Ann, as an adapter decodes it. */
async function hear(type: 'message' | 'message_edited' | 'message_deleted', text = ''): Promise<void> {
  const event = {
    type,
    chat: { id: 'a', kind: 'group' },
    at: new Date().toISOString(),
    messageId: 'm1',
    ...(type === 'message_deleted' ? {} : { content: plainContent(text) }),
    ...(type === 'message' ? { sender: { id: 'ann', displayName: 'Ann' } } : {}),
  } as unknown as InboundEvent;
  const receive = new Receive(stage.inbound, { decode: async () => [event] }, recordingLog());
  await receive.envelope(first, { dedupeKey: uuidv7(), lane: 'a', payload: null });
}

async function stored(): Promise<MessageRecord[]> {
  return values<MessageRecord>(
    stage.pool,
    'SELECT message_record(m) FROM messages m WHERE conversation_id = $1 AND deleted_at IS NULL ORDER BY m.created_at, m.id',
    [conversation],
  );
}
const texts = async () => (await stored()).map(({ text }) => text);

/** The text in the other chat once all due writes are done. */
async function relayed(): Promise<string> {
  const platform = new ScriptedPlatform();
  await stage.deliverer(platform).run(second);
  return platform.calls.map(({ text }) => text.replace(/^ann: |^Ann: /, '')).join('');
}

describe('a text of a platform that is too long for one message', () => {
  it('continues in further messages, which are relayed in order and completely', async () => {
    const text = long(5_000);
    await hear('message', text);
    await hear('message', text);
    const parts = await texts();
    expect(parts.map(({ length }) => length <= 10_000)).toEqual([true, true, true]);
    expect(parts.join('')).toBe(text);
    expect(await relayed()).toBe(text);
  });

  it('follows an edit that makes it longer, shorter and longer again', async () => {
    await hear('message', 'short');
    for (const words of [3_000, 5_000, 2_500, 10, 4_000]) {
      const text = long(words, `w${words}`);
      await hear('message_edited', text);
      expect((await texts()).join('')).toBe(text);
    }
    const [, ...rest] = await stored();
    expect(rest.every(({ deliveries }) => deliveries.length === 1)).toBe(true);
    expect(rest.map(({ origin }) => origin?.external_sender_id)).toEqual(['ann', 'ann']);
  });

  it('is deleted as a whole, by its platform and by a client', async () => {
    await hear('message', long(5_000));
    await hear('message_deleted');
    expect(await stored()).toEqual([]);
  });

  it('is replied to on its platform by the id that the platform knows', async () => {
    await hear('message', long(3_000));
    const [, rest] = await stored();
    await stage.send(conversation, 'Re', { reply_to_id: rest?.id ?? '' });
    expect((await stage.claimOne(first)).reply_to_external_id).toBe('m1');
  });
});
