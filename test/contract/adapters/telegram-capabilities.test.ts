import { afterAll, beforeAll, expect, it } from 'vitest';
import { telegramDefinition } from '../../../adapters/telegram/definition.js';
import { decode } from '../../../adapters/telegram/inbound/decode.js';
import { FORUM, FORUM_TOPIC, GROUP, STRANGER } from '../../../adapters/telegram/simulator/state.js';
import {
  type AttachmentType,
  type Level,
  type Mark,
  type Operation,
  plainContent,
  type RemotePart,
  remoteChatId,
  remoteMessageId,
  remoteThreadId,
} from '../../../src/contract/index.js';
import { taskContent } from '../../../src/core/deliveries/send/task-content.js';
import { cellsOf, type Proofs, prove } from '../../support/capability-cells.js';
import { deliveryTask } from '../../support/delivery-task.js';
import { refusal } from './telegram-bench.js';
import { firstOf, partOf, TelegramStage } from './telegram-stage.js';

/** Each statement of Telegram's capability table against the simulated platform. */

const { capabilities } = telegramDefinition;
const stage = new TelegramStage();
const { simulator } = stage;
const send: TelegramStage['send'] = (...what) => stage.send(...what);
const done = (operation: Operation) => stage.done(operation);
const shown = (chat: string) => stage.visible(chat);

beforeAll(() => stage.open());
afterAll(() => stage.close());

const entityTypes: Partial<Record<Mark, string>> = {
  bold: 'bold',
  italic: 'italic',
  underline: 'underline',
  strike: 'strikethrough',
  code: 'code',
  code_block: 'pre',
  quote: 'blockquote',
  link: 'text_link',
  mention: 'text_mention',
  spoiler: 'spoiler',
  heading: 'bold',
};
const values: Partial<Record<Mark, string>> = { link: 'https://example.com', mention: '700001' };

async function proveFormat(level: Level, name: string): Promise<void> {
  const mark = name as Mark;
  const span = { mark, start: 0, end: 4, ...(values[mark] === undefined ? {} : { value: values[mark] }) };
  const content = { text: 'word more', spans: [span], attachments: [] };
  const { calls, degradations } = await send('', { content });
  expect(calls[0]?.request.text).toBe('word more');
  const entities = calls[0]?.request.entities as { type: string }[];
  if (level === 'dropped') {
    expect([entities, degradations]).toEqual([[], [`format.${mark}`]]);
    return;
  }
  expect(entities.map(({ type }) => type)).toEqual([entityTypes[mark]]);
  // A heading looks like bold text. All other marks look as intended.
  expect(level).toBe(mark === 'heading' ? 'emulated' : 'native');
  expect(degradations).toEqual([]);
}

/** The contract has no such operation, and no update of Telegram reports it. */
function neverAsked(level: Level): void {
  expect(level).toBe('dropped');
  for (const { request } of simulator.ledger.entries()) expect(request).not.toHaveProperty('reply_markup');
  expect(stage.adapter).not.toHaveProperty('history');
}

const proofs: Proofs = {
  'text.max': async (max: number) => {
    expect((await send('x'.repeat(max))).calls).toHaveLength(1);
    const { calls, chat } = await send('x'.repeat(max + 1));
    expect(calls).toHaveLength(2);
    expect(
      shown(chat)
        .map(({ text }) => text)
        .join(''),
    ).toBe('x'.repeat(max + 1));
  },
  'text.unit': async () => {
    expect((await send('😀'.repeat(2048))).calls).toHaveLength(1);
    expect((await send('😀'.repeat(2049))).calls).toHaveLength(2);
  },
  'text.formats': proveFormat,
  'ops.edit': async () => {
    const sent = await send('Old');
    const to = { chatId: remoteChatId(sent.chat) };
    await done({ type: 'edit', to, content: plainContent('New'), parts: partOf(sent) });
    expect(shown(sent.chat)).toMatchObject([{ text: 'New', edited: true }]);
  },
  'ops.delete': async () => {
    const sent = await send('Gone');
    await done({ type: 'delete', to: { chatId: remoteChatId(sent.chat) }, parts: partOf(sent) });
    expect(shown(sent.chat)).toEqual([]);
  },
  'ops.react': async () => {
    const sent = await send('Nice');
    const react = {
      type: 'react' as const,
      to: { chatId: remoteChatId(sent.chat) },
      messageId: firstOf(sent),
    };
    await done({ ...react, emoji: '👍', change: 'added' });
    expect(simulator.reactionOn(sent.chat, firstOf(sent))).toBe('👍');
    await done({ ...react, emoji: '👍', change: 'removed' });
    expect(simulator.reactionOn(sent.chat, firstOf(sent))).toBeUndefined();
  },
  'ops.reply': async () => {
    const chat = stage.person();
    const question = await simulator.post({ chatId: chat, sender: 'Ada', text: 'Question' });
    await send('Answer', { replyToId: remoteMessageId(question) }, [], chat);
    expect(shown(chat)[1]).toMatchObject({ text: 'Answer', replyToId: question });
  },
  'ops.thread': async () => {
    const to = { chatId: remoteChatId(FORUM), threadId: remoteThreadId(FORUM_TOPIC) };
    for (const attachments of [[], [stage.usual('image')], [stage.usual('location')]]) {
      const { calls } = await done({ type: 'send', to, content: { ...plainContent('In'), attachments } });
      for (const { request } of calls) expect(Number(request.message_thread_id)).toBe(FORUM_TOPIC);
    }
  },
  'ops.typing': async () => {
    const { calls } = await done({ type: 'typing', to: { chatId: remoteChatId(GROUP) }, state: 'started' });
    expect(calls).toMatchObject([{ call: 'sendChatAction', request: { action: 'typing' } }]);
  },
  'ops.membership': () => {
    const user = { id: 5, is_bot: false, first_name: 'Bo' };
    const chat = { id: GROUP, type: 'supergroup', title: 'Room' };
    const message = { message_id: 1, date: 1, chat, from: user, new_chat_members: [user] };
    const payload = JSON.parse(JSON.stringify({ update_id: 1, message }));
    expect(decode({ dedupeKey: '1', lane: '1', payload })).toMatchObject([
      { type: 'membership', change: 'joined' },
    ]);
  },
  'ops.live_location': () => {
    const location = { latitude: 1, longitude: 2, live_period: 60 };
    const chat = { id: 5, type: 'private', first_name: 'Bo' };
    const edited_message = { message_id: 1, date: 1, edit_date: 2, chat, location };
    const payload = JSON.parse(JSON.stringify({ update_id: 1, edited_message }));
    expect(decode({ dedupeKey: '1', lane: '1', payload })).toMatchObject([
      { type: 'location', latitude: 1, longitude: 2 },
    ]);
  },
  'ops.location': async () => {
    const { calls, degradations } = await send('', {}, [stage.usual('location')]);
    expect(calls.map(({ call }) => call)).toEqual(['sendLocation']);
    expect(degradations).toEqual([]);
  },
  'ops.schedule': async (level: Level) => {
    // The bridge holds a scheduled message back. The adapter sends at once.
    expect(level).toBe('emulated');
    expect((await send('Now')).calls[0]?.request).not.toHaveProperty('schedule_date');
  },
  'ops.persona_override': async (level: Level) => {
    expect(level).toBe('emulated');
    const link = { ...deliveryTask().link, attribution: 'persona' as const };
    const task = deliveryTask({ link, sender: { display_name: 'Ann', profile_image: null } });
    const given = taskContent(task, capabilities);
    expect(given).not.toHaveProperty('persona');
    const { chat } = await send('', given);
    expect(shown(chat)).toMatchObject([{ text: 'Ann: Hello' }]);
  },
  'ops.initiate': async (level: Level) => {
    expect(level).toBe('unknown');
    expect((await send('Hello')).receipts).toHaveLength(1);
    expect(await refusal(send('Hello', {}, [], String(STRANGER)))).toMatchObject({
      problem: { kind: 'rejected', reason: 'forbidden' },
    });
  },
  'ops.read_out': neverAsked,
  'ops.read_in': neverAsked,
  'ops.delivered': neverAsked,
  'ops.buttons': neverAsked,
  'ops.history': neverAsked,
  'ops.calls': neverAsked,
  media: async (value: unknown, rest: string) => {
    // A MIME type may contain dots.
    const [, name, cell = '', mime = ''] = /^(\w+)\.(\w+)(?:\.(.+))?$/.exec(rest) ?? [];
    const type = name as AttachmentType;
    if (cell === 'mime') return stage.proveMedia(type, mime, value as Level);
    if (cell === 'max_bytes') return stage.proveMaxBytes(type, value as number | null);
    if (cell === 'caption_max') return stage.proveCaption(type, value as number);
    expect(cell).toBe('per_message');
    return stage.provePerMessage(type, value as number);
  },
  'edit.max_age_s': async (age: number | null) => {
    expect(age).toBeNull();
    const sent = await send('Old');
    simulator.age(sent.chat, firstOf(sent), 365 * 24 * 60 * 60);
    const to = { chatId: remoteChatId(sent.chat) };
    await done({ type: 'edit', to, content: plainContent('New'), parts: partOf(sent) });
    expect(shown(sent.chat)).toMatchObject([{ text: 'New' }]);
  },
  'edit.max_count': async (count: number | null) => {
    expect(count).toBeNull();
    const sent = await send('0');
    const to = { chatId: remoteChatId(sent.chat) };
    for (let round = 1; round <= 10; round += 1)
      await done({ type: 'edit', to, content: plainContent(String(round)), parts: partOf(sent) });
    expect(shown(sent.chat)).toMatchObject([{ text: '10' }]);
  },
  'edit.media': async (media: boolean) => {
    expect(media).toBe(false);
    const sent = await send('Old', {}, [stage.usual('image')]);
    const content = { ...plainContent('New'), attachments: [stage.usual('video')] };
    const to = { chatId: remoteChatId(sent.chat) };
    const { calls } = await done({ type: 'edit', to, content, parts: partOf(sent, 'media') });
    expect(calls.map(({ call }) => call)).toEqual(['editMessageCaption']);
  },
  'delete.max_age_s': async (age: number) => {
    const [young, old] = [await send('Young'), await send('Old')];
    simulator.age(young.chat, firstOf(young), age - 60);
    simulator.age(old.chat, firstOf(old), age + 60);
    await done({ type: 'delete', to: { chatId: remoteChatId(young.chat) }, parts: partOf(young) });
    expect(shown(young.chat)).toEqual([]);
    expect(
      await refusal(done({ type: 'delete', to: { chatId: remoteChatId(old.chat) }, parts: partOf(old) })),
    ).toMatchObject({ problem: { kind: 'rejected', reason: 'edit_expired' } });
  },
  'delete.others': async (others: boolean) => {
    expect(others).toBe(false);
    const hers = await simulator.post({ chatId: String(GROUP), sender: 'Ada', text: 'Hers' });
    const parts: RemotePart[] = [{ index: 0, kind: 'text', id: remoteMessageId(hers) }];
    expect(await refusal(done({ type: 'delete', to: { chatId: remoteChatId(GROUP) }, parts }))).toMatchObject(
      { problem: { kind: 'rejected' } },
    );
  },
  'react.per_user': async (limit: number) => {
    expect(limit).toBe(1);
    const sent = await send('Nice');
    const react = {
      type: 'react' as const,
      to: { chatId: remoteChatId(sent.chat) },
      messageId: firstOf(sent),
    };
    await done({ ...react, emoji: '👍', change: 'added' });
    await done({ ...react, emoji: '🎉', change: 'added' });
    expect(simulator.reactionOn(sent.chat, firstOf(sent))).toBe('🎉');
  },
  'react.allowed': async (allowed: readonly string[]) => {
    const sent = await send('Nice');
    const react = {
      type: 'react' as const,
      to: { chatId: remoteChatId(sent.chat) },
      messageId: firstOf(sent),
    };
    for (const emoji of allowed) {
      await done({ ...react, emoji, change: 'added' });
      expect(simulator.reactionOn(sent.chat, firstOf(sent))).toBe(emoji);
    }
    const before = simulator.ledger.entries().length;
    expect(await refusal(done({ ...react, emoji: '🦖', change: 'added' }))).toMatchObject({
      problem: { kind: 'rejected', reason: 'unsupported' },
    });
    expect(simulator.ledger.entries()).toHaveLength(before);
  },
};

it.each(cellsOf(capabilities).map((cell) => [cell.path, cell] as const))(
  'Telegram has the capability %s',
  (_, cell) => prove(proofs, cell),
);

it('capabilities that are not native make no calls', () => {
  const known = [
    ...[
      'sendMessage',
      'sendPhoto',
      'sendAnimation',
      'sendVideo',
      'sendAudio',
      'sendSticker',
      'sendDocument',
      'sendMediaGroup',
    ],
    ...['sendLocation', 'sendContact', 'editMessageText', 'editMessageCaption', 'deleteMessage'],
    ...['setMessageReaction', 'sendChatAction'],
  ];
  expect(known).toEqual(expect.arrayContaining(Object.keys(simulator.ledger.counts())));
});

it('special characters in file names are replaced so that they cannot break the multipart form', async () => {
  const name = 'a;name=chat_id; "b".png';
  const one = { ...stage.usual('image'), name };
  const { chat } = await send('', {}, [one, { ...stage.usual('image'), name: 'plain.png' }]);
  expect(shown(chat).map(({ files }) => files?.[0]?.name)).toEqual(["a,name=chat_id, 'b'.png", 'plain.png']);
});
