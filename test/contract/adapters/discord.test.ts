import { afterEach, describe, expect, it } from 'vitest';
import type { DiscordSimulatorOptions } from '../../../adapters/discord/simulator/index.js';
import {
  type Adapter,
  type PartStep,
  PlatformError,
  remoteChatId,
  remoteMessageId,
  remoteThreadId,
} from '../../../src/contract/index.js';
import { context, DiscordBench, sendTo } from '../../support/discord.js';

const CREATE = 'POST /channels/:id/messages';
let bench: DiscordBench;
let adapter: Adapter;
const open = async (options: DiscordSimulatorOptions = { limits: 'none' }) => {
  bench = await DiscordBench.open(options);
  adapter = await bench.adapter();
};
afterEach(() => bench.close());

const visible = (chatId: string) => bench.simulator.messages(chatId).filter(({ deleted }) => !deleted);
const failure = async (attempt: Promise<unknown>): Promise<PlatformError> => {
  const error: unknown = await attempt.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(PlatformError);
  return error as PlatformError;
};
const firstStep = (text: string): PartStep =>
  adapter.plan(sendTo(bench.chat(), text), adapter.capabilities()).steps[0] as PartStep;

describe('the identity of the Discord account', () => {
  it('is the bot of the token', async () => {
    await open();
    expect(await adapter.identify()).toEqual({
      externalId: bench.simulator.selfId,
      handle: 'trunkline',
      name: 'Trunkline',
    });
  });

  it('is refused for an invalid token, without a further call', async () => {
    await open();
    const dead = await bench.adapter({ token: 'dead' });
    expect((await failure(dead.identify())).problem).toEqual({ kind: 'unauthorized' });
    expect((await failure(bench.send(dead, bench.chat(), 'x'))).problem).toEqual({ kind: 'unauthorized' });
    expect(bench.simulator.ledger.counts()).toEqual({ 'GET /users/@me': 1 });
  });
});

describe('sending to Discord', () => {
  it('writes markdown, replies to the given message and does not ping anyone', async () => {
    await open();
    const question = await bench.simulator.post({ chatId: bench.chat(), sender: 'Ada', text: '?' });
    const content = {
      text: '@everyone *look*',
      spans: [{ mark: 'bold' as const, start: 0, end: 9 }],
      attachments: [],
    };
    await bench.run(adapter, { ...sendTo(bench.chat(), content), replyToId: remoteMessageId(question) });
    expect(visible(bench.chat())[1]).toMatchObject({
      text: '**\\@everyone** \\*look\\*',
      replyToId: question,
      own: true,
    });
    const [{ request } = { request: null }] = bench.simulator.ledger.entries(CREATE);
    expect(request).toMatchObject({ body: { allowed_mentions: { parse: [], replied_user: false } } });
  });

  it('still sends a reply whose original is gone', async () => {
    await open();
    const question = await bench.simulator.post({ chatId: bench.chat(), sender: 'Ada', text: '?' });
    await bench.simulator.remove(bench.chat(), question);
    await bench.run(adapter, { ...sendTo(bench.chat(), 'answer'), replyToId: remoteMessageId(question) });
    expect(visible(bench.chat()).map(({ text }) => text)).toEqual(['answer']);
  });

  it('reaches threads by their own id, given as chat or as thread', async () => {
    await open();
    const { thread } = bench;
    await bench.send(adapter, thread, 'as chat');
    const to = { chatId: remoteChatId(bench.chat()), threadId: remoteThreadId(thread) };
    await adapter.execute(firstStep('as thread'), { ...context(bench.chat()), to });
    expect(visible(thread).map(({ text }) => text)).toEqual(['as chat', 'as thread']);
    expect(visible(bench.chat())).toEqual([]);
  });

  it('accepts exactly the longest text that Discord accepts', async () => {
    await open();
    expect(await bench.send(adapter, bench.chat(), 'a'.repeat(2000))).toHaveLength(1);
    expect(await bench.send(adapter, bench.chat(), 'a'.repeat(2001))).toHaveLength(2);
    const tooLong = { ...firstStep('x'), payload: { content: 'a'.repeat(2001) } };
    const error = await failure(adapter.execute(tooLong, context(bench.chat())));
    expect([error.problem, error.code]).toEqual([{ kind: 'rejected', reason: 'too_long' }, '50035']);
  });

  it('edits from one part to three and back, and changes the right messages', async () => {
    await open();
    const to = { chatId: remoteChatId(bench.chat()) };
    const content = (text: string) => ({ text, spans: [], attachments: [] });
    const [first] = await bench.send(adapter, bench.chat(), 'short');
    const one = [{ index: 0, kind: 'text' as const, id: first!.remoteId! }];
    const long = 'word '.repeat(1000);
    const receipts = await bench.run(adapter, { type: 'edit', to, content: content(long), parts: one });
    expect(
      visible(bench.chat())
        .map(({ text }) => text)
        .join(''),
    ).toBe(long);
    expect(receipts[0]?.remoteId).toBe(first?.remoteId);
    const three = receipts.map(({ remoteId }, index) => ({ index, kind: 'text' as const, id: remoteId! }));
    expect(three).toHaveLength(3);
    await bench.run(adapter, { type: 'edit', to, content: content('short again'), parts: three });
    expect(visible(bench.chat())).toMatchObject([{ id: first?.remoteId, text: 'short again', edited: true }]);
  });

  it('deletes a message, and treats a repeated deletion or an unknown message as success', async () => {
    await open();
    const [sent] = await bench.send(adapter, bench.chat(), 'gone soon');
    const step = (id: string) => ({
      ...firstStep('x'),
      action: 'remove' as const,
      targetId: remoteMessageId(id),
    });
    for (const id of [sent!.remoteId!, sent!.remoteId!, '1234567890123456789'])
      expect(await adapter.execute(step(id), context(bench.chat()))).toEqual({ remoteId: id });
    expect(visible(bench.chat())).toEqual([]);
  });

  it('shows typing', async () => {
    await open();
    const to = { chatId: remoteChatId(bench.chat()) };
    const { steps } = adapter.plan({ type: 'typing', to, state: 'started' }, adapter.capabilities());
    await adapter.execute(steps[0]!, context(bench.chat()));
    expect(bench.count('POST /channels/:id/typing')).toBe(1);
  });

  it('makes exactly one request per step', async () => {
    await open();
    await bench.send(adapter, bench.chat(), 'once');
    expect(bench.simulator.ledger.counts()).toEqual({ [CREATE]: 1 });
  });
});

describe('direct messages on Discord', () => {
  it('open by user id and lead to the same chat each time', async () => {
    await open();
    const chat = await adapter.openDirect!(bench.simulator.address(7));
    expect(await adapter.openDirect!(bench.simulator.address(7))).toBe(chat);
    await bench.send(adapter, chat, 'hello');
    expect(visible(chat)).toMatchObject([{ text: 'hello', own: true }]);
  });

  it('are refused by people who closed them, and need a valid recipient', async () => {
    await open();
    const chat = await adapter.openDirect!(bench.simulator.address(3));
    bench.simulator.closeDirect(bench.simulator.address(3));
    const closed = await failure(bench.send(adapter, chat, 'hello'));
    expect([closed.problem, closed.code, closed.dispatched]).toEqual([
      { kind: 'rejected', reason: 'blocked_by_recipient' },
      '50007',
      'no',
    ]);
    for (const nobody of ['100000000000000001', 'ada', ''])
      expect((await failure(adapter.openDirect!(nobody))).problem).toEqual({
        kind: 'rejected',
        reason: 'recipient_gone',
      });
  });
});
