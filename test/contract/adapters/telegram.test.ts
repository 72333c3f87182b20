import { describe, expect, it } from 'vitest';
import { FORUM, FORUM_TOPIC } from '../../../adapters/telegram/simulator/state.js';
import {
  type PartStep,
  plainContent,
  type Receipt,
  type RemotePart,
  remoteChatId,
  remoteMessageId,
  remoteThreadId,
} from '../../../src/contract/index.js';
import { execute, group, perform, refusal, send, useTelegram } from './telegram-bench.js';

const telegram = useTelegram();

describe('sending to Telegram', () => {
  it('sends a long text in parts, in order, with the first part as the reply', async () => {
    const adapter = await telegram().connect();
    const question = await telegram().simulator.post({ chatId: group, sender: 'Ada', text: 'Question' });
    const text = 'word '.repeat(1500).trimEnd();
    const receipts = await perform(adapter, {
      type: 'send',
      to: { chatId: remoteChatId(group) },
      content: plainContent(text),
      replyToId: remoteMessageId(question),
    });
    const shown = telegram().visible(group).slice(1);
    expect(shown.map(({ id }) => id)).toEqual(receipts.map(({ remoteId }) => remoteId));
    expect(shown.map(({ replyToId }) => replyToId)).toEqual([question, undefined]);
    expect(shown.map((message) => message.text).join(' ')).toBe(text);
  });

  it('still sends when the original of a reply is gone', async () => {
    const adapter = await telegram().connect();
    await perform(adapter, {
      type: 'send',
      to: { chatId: remoteChatId(group) },
      content: plainContent('Answer'),
      replyToId: remoteMessageId('9999'),
    });
    expect(telegram().visible(group)).toMatchObject([{ text: 'Answer', own: true }]);
  });

  it('writes into a topic and receives messages from it', async () => {
    const adapter = await telegram().connect();
    const to = { chatId: remoteChatId(FORUM), threadId: remoteThreadId(FORUM_TOPIC) };
    await perform(adapter, { type: 'send', to, content: plainContent('In the topic') });
    expect(telegram().simulator.ledger.entries('sendMessage')[0]?.request).toMatchObject({
      message_thread_id: FORUM_TOPIC,
    });
    await adapter.start();
    await telegram().simulator.post({
      chatId: String(FORUM),
      sender: 'Ada',
      text: 'Heard',
      threadId: FORUM_TOPIC,
    });
    await telegram().host.until(() => telegram().host.envelopes.length === 1);
    expect(telegram().events(adapter)).toMatchObject([{ chat: { threadId: String(FORUM_TOPIC) } }]);
    const gone = { ...to, threadId: remoteThreadId(77) };
    expect(
      await refusal(perform(adapter, { type: 'send', to: gone, content: plainContent('x') })),
    ).toMatchObject({ problem: { kind: 'rejected', reason: 'recipient_gone' } });
  });

  it('formats text with entities', async () => {
    const adapter = await telegram().connect();
    const spans = [{ mark: 'bold' as const, start: 0, end: 3 }];
    const receipts = await send(adapter, group, { text: '*A* _b_', spans, attachments: [] });
    expect(receipts[0]).not.toHaveProperty('degradations');
    expect(telegram().visible(group)).toMatchObject([{ text: '*A* _b_' }]);
    expect(telegram().simulator.ledger.entries('sendMessage')[0]?.request).toMatchObject({
      entities: [{ type: 'bold', offset: 0, length: 3 }],
    });
  });

  it('sends plain text once when only the formatting is refused, with a degradation', async () => {
    const adapter = await telegram().connect();
    const entities = [{ type: 'bold', offset: 0, length: 500 }];
    const step: PartStep = { action: 'create', index: 0, kind: 'text', payload: { text: 'Hello', entities } };
    const receipt = await execute(adapter, step, { chatId: remoteChatId(group) });
    expect(receipt.degradations).toEqual(['format']);
    expect(telegram().visible(group)).toMatchObject([{ id: receipt.remoteId, text: 'Hello' }]);
    expect(
      telegram()
        .simulator.ledger.entries('sendMessage')
        .map(({ committed }) => committed),
    ).toEqual([false, true]);
  });

  it('writes to any person who has written to the bot', async () => {
    const adapter = await telegram().connect();
    await send(adapter, telegram().simulator.address(4711), 'Hello');
    expect(telegram().visible(telegram().simulator.address(4711))).toMatchObject([
      { text: 'Hello', own: true },
    ]);
  });

  it('edits over the split boundary, from one part to three and back', async () => {
    const adapter = await telegram().connect();
    const to = { chatId: remoteChatId(group) };
    const sent = await send(adapter, group, 'Short');
    const partsOf = (receipts: Receipt[]): RemotePart[] =>
      receipts.map(({ remoteId }, index) => ({ index, kind: 'text', id: remoteId ?? remoteMessageId('') }));
    const content = plainContent('word '.repeat(2000).trimEnd());
    const grown = await perform(adapter, { type: 'edit', to, content, parts: partsOf(sent) });
    expect(grown).toHaveLength(3);
    expect(
      telegram()
        .visible(group)
        .map(({ text }) => text)
        .join(' '),
    ).toBe(content.text);
    const parts = partsOf(grown);
    await perform(adapter, { type: 'edit', to, content: plainContent('Short again'), parts });
    expect(telegram().visible(group)).toMatchObject([
      { id: sent[0]?.remoteId, text: 'Short again', edited: true },
    ]);
  });

  it('treats an edit without changes as done', async () => {
    const adapter = await telegram().connect();
    const to = { chatId: remoteChatId(group) };
    const [sent] = await send(adapter, group, 'Same');
    const parts: RemotePart[] = [{ index: 0, kind: 'text', id: sent?.remoteId ?? remoteMessageId('') }];
    const receipts = await perform(adapter, { type: 'edit', to, content: plainContent('Same'), parts });
    expect(receipts).toEqual([{ remoteId: sent?.remoteId }]);
  });

  it('deletes a message, and treats a missing message as deleted', async () => {
    const adapter = await telegram().connect();
    const to = { chatId: remoteChatId(group) };
    const [sent] = await send(adapter, group, 'Away');
    const parts: RemotePart[] = [{ index: 0, kind: 'text', id: sent?.remoteId ?? remoteMessageId('') }];
    await perform(adapter, { type: 'delete', to, parts });
    expect(telegram().visible(group)).toEqual([]);
    expect(await perform(adapter, { type: 'delete', to, parts })).toEqual([{ remoteId: sent?.remoteId }]);
    expect(
      await refusal(perform(adapter, { type: 'edit', to, content: plainContent('x'), parts })),
    ).toMatchObject({ problem: { kind: 'rejected', reason: 'edit_expired' } });
  });

  it('shows a typing indicator', async () => {
    const adapter = await telegram().connect();
    await perform(adapter, { type: 'typing', to: { chatId: remoteChatId(group) }, state: 'started' });
    expect(telegram().simulator.ledger.entries('sendChatAction')[0]?.request).toMatchObject({
      action: 'typing',
    });
  });

  it('makes one request per step', async () => {
    const adapter = await telegram().connect();
    await send(adapter, group, 'One');
    expect(telegram().simulator.ledger.counts()).toEqual({ sendMessage: 1 });
  });
});
