import { Api } from 'node-telegram-bot-api';
import { Telegraf } from 'telegraf';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TelegramSimulator } from '../../../adapters/telegram/simulator/index.js';
import { GROUP } from '../../../adapters/telegram/simulator/state.js';
import { png } from '../../support/files.js';

/** Clients that the bridge does not use, unmodified. */

let simulator: TelegramSimulator;
let apiRoot: string;
const chat = String(GROUP);

beforeEach(async () => {
  simulator = new TelegramSimulator({ limits: 'none' });
  apiRoot = (await simulator.start()).apiBaseUrl;
});
afterEach(() => simulator.stop());

const token = () => simulator.account().credentials.bot_token ?? '';
const keyboard = { inline_keyboard: [[{ text: 'Yes', callback_data: 'y' }]] };

/** Sends one request as python-telegram-bot and curl do. */
async function call(method: string, body?: object, query = ''): Promise<Record<string, never>> {
  const response = await fetch(`${apiRoot}/bot${token()}/${method}${query}`, {
    method: 'POST',
    ...(body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  return (await response.json()) as Record<string, never>;
}

describe('telegraf', () => {
  it('sends, edits, pins, copies and forwards, with buttons, polls and dice', async () => {
    const { telegram } = new Telegraf(token(), { telegram: { apiRoot } });
    const sent = await telegram.sendMessage(chat, '<b>Hi</b> &lt;you&gt;', {
      parse_mode: 'HTML',
      reply_markup: keyboard,
    });
    expect(sent).toMatchObject({
      text: 'Hi <you>',
      entities: [{ type: 'bold', offset: 0, length: 2 }],
      reply_markup: keyboard,
    });
    expect(
      await telegram.editMessageReplyMarkup(chat, sent.message_id, undefined, undefined),
    ).not.toHaveProperty('reply_markup');
    expect(await telegram.pinChatMessage(chat, sent.message_id)).toBe(true);
    expect(await telegram.unpinChatMessage(chat, sent.message_id)).toBe(true);
    expect(await telegram.forwardMessage(chat, chat, sent.message_id)).toMatchObject({
      text: 'Hi <you>',
      forward_origin: { type: 'user', sender_user: { is_bot: true } },
    });
    const copy = await telegram.copyMessage(chat, chat, sent.message_id);
    expect(copy.message_id).toBeGreaterThan(sent.message_id);
    expect(await telegram.sendPoll(chat, 'Lunch?', ['Soup', 'Salad'])).toMatchObject({
      poll: { question: 'Lunch?', options: [{ text: 'Soup' }, { text: 'Salad' }] },
    });
    expect(await telegram.sendDice(chat)).toMatchObject({ dice: { emoji: '🎲' } });
    expect(await telegram.setMyCommands([{ command: 'help', description: 'Help' }])).toBe(true);
    expect(await telegram.getMyCommands()).toEqual([{ command: 'help', description: 'Help' }]);
    const { id } = await telegram.getMe();
    expect(await telegram.getChatMember(chat, id)).toMatchObject({ status: 'member', user: { id } });
  });

  it('sends a photo, then the same one by its file id', async () => {
    const { telegram } = new Telegraf(token(), { telegram: { apiRoot } });
    const first = await telegram.sendPhoto(
      chat,
      { source: png(2, 2) },
      { caption: '*A*', parse_mode: 'MarkdownV2' },
    );
    expect(first).toMatchObject({ caption: 'A', caption_entities: [{ type: 'bold' }] });
    const id = first.photo[0]?.file_id ?? '';
    expect(await telegram.sendPhoto(chat, id)).toMatchObject({ photo: [{ file_id: id }] });
    const link = await telegram.getFileLink(id);
    expect((await fetch(link)).status).toBe(200);
  });
});

it('telegraf sets commands for each scope and language', async () => {
  const { telegram } = new Telegraf(token(), { telegram: { apiRoot } });
  const scope = { type: 'chat' as const, chat_id: Number(chat) };
  const named = (command: string) => [{ command, description: 'x' }];
  await telegram.setMyCommands(named('all'));
  await telegram.setMyCommands(named('here'), { scope });
  await telegram.setMyCommands(named('hier'), { scope, language_code: 'de' });
  expect(await telegram.getMyCommands()).toEqual(named('all'));
  expect(await telegram.getMyCommands({ scope })).toEqual(named('here'));
  expect(await telegram.getMyCommands({ scope, language_code: 'de' })).toEqual(named('hier'));
  await telegram.deleteMyCommands({ scope });
  expect(await telegram.getMyCommands({ scope })).toEqual([]);
  expect(await telegram.getMyCommands()).toEqual(named('all'));
  const poll = { is_anonymous: false, allows_multiple_answers: true };
  expect(await telegram.sendPoll(chat, 'Lunch?', ['Soup', 'Salad'], poll)).toMatchObject({ poll });
});

it('telegraf recognises commands, mentions, hashtags and URLs in messages of people', async () => {
  const bot = new Telegraf(token(), { telegram: { apiRoot } });
  const seen: string[] = [];
  bot.start((context) => void seen.push(`start ${context.payload}`));
  bot.command('help', (context) => void seen.push(`help ${context.args.join('+')}`));
  bot.mention('ada_l', () => void seen.push('mention'));
  bot.hashtag('news', () => void seen.push('hashtag'));
  bot.url('https://x.example.com/help#news', () => void seen.push('url'));
  bot.on('message', () => void seen.push('other'));
  const running = bot.launch();
  const texts = [
    '/start a1',
    '/help a b',
    'hi @ada_l',
    '#news',
    'https://x.example.com/help#news',
    'a/help b@ada_l #5',
  ];
  for (const text of texts) await simulator.post({ chatId: chat, sender: 'Ada', text });
  await expect.poll(() => seen).toEqual(['start a1', 'help a+b', 'mention', 'hashtag', 'url', 'other']);
  const id = await simulator.post({ chatId: chat, sender: 'Ada', text: 'x' });
  await expect.poll(() => seen.length).toBe(7);
  expect(simulator.messages(chat).map((message) => message.id)).toContain(id);
  bot.stop();
  await running;
});

it('node-telegram-bot-api sends a text with a reply and buttons', async () => {
  const api = new Api(token(), { apiRoot });
  const question = await api.sendMessage({ chat_id: chat, text: 'Question' });
  const answer = await api.sendMessage({
    chat_id: chat,
    text: '_Answer_',
    parse_mode: 'Markdown',
    reply_parameters: { message_id: question.message_id },
    reply_markup: keyboard,
  });
  expect(answer).toMatchObject({
    text: 'Answer',
    entities: [{ type: 'italic', offset: 0, length: 6 }],
    reply_to_message: { message_id: question.message_id },
    reply_markup: keyboard,
  });
});

describe('requests of Telegram clients', () => {
  it('may have parameters in the query string in addition to a file, and an escaped token', async () => {
    const form = new FormData();
    form.set('photo', new Blob([new Uint8Array(png(1, 1))]), 'a.png');
    const path = `${apiRoot}/bot${encodeURIComponent(token())}/sendPhoto?chat_id=${chat}&caption=Hi`;
    const response = await fetch(path, { method: 'POST', body: form });
    expect(await response.json()).toMatchObject({ ok: true, result: { caption: 'Hi' } });
  });

  it('may use the reply parameter from before version 7.0', async () => {
    const { result } = await call('sendMessage', { chat_id: chat, text: 'One' });
    const { message_id } = result as unknown as { message_id: number };
    expect(
      await call('sendMessage', { chat_id: chat, text: 'Two', reply_to_message_id: message_id }),
    ).toMatchObject({
      result: { reply_to_message: { message_id } },
    });
  });
});

describe('parse modes', () => {
  it.each([
    [
      'HTML',
      '<a href="https://x.example/">x</a>',
      'x',
      [{ type: 'text_link', offset: 0, length: 1, url: 'https://x.example/' }],
    ],
    [
      'HTML',
      '<pre><code class="language-ts">a</code></pre>',
      'a',
      [{ type: 'pre', offset: 0, length: 1, language: 'ts' }],
    ],
    [
      'HTML',
      '<b>a<i>b</i></b>',
      'ab',
      [
        { type: 'bold', offset: 0, length: 2 },
        { type: 'italic', offset: 1, length: 1 },
      ],
    ],
    [
      'MarkdownV2',
      '*a _b_* __c__ ~d~ ||e|| `f\\`g`',
      'a b c d e f`g',
      [
        { type: 'bold', offset: 0, length: 3 },
        { type: 'italic', offset: 2, length: 1 },
        { type: 'underline', offset: 4, length: 1 },
        { type: 'strikethrough', offset: 6, length: 1 },
        { type: 'spoiler', offset: 8, length: 1 },
        { type: 'code', offset: 10, length: 3 },
      ],
    ],
    ['MarkdownV2', '>a\n>b\nc\\.', 'a\nb\nc.', [{ type: 'blockquote', offset: 0, length: 3 }]],
    [
      'MarkdownV2',
      '[x](https://x.example/\\))',
      'x',
      [{ type: 'text_link', offset: 0, length: 1, url: 'https://x.example/)' }],
    ],
    ['MarkdownV2', '```ts\na\n```', 'a', [{ type: 'pre', offset: 0, length: 1, language: 'ts' }]],
    [
      'Markdown',
      '*a* _b_ \\_c',
      'a b _c',
      [
        { type: 'bold', offset: 0, length: 1 },
        { type: 'italic', offset: 2, length: 1 },
      ],
    ],
  ])('%s parses %s', async (parse_mode, source, text, entities) => {
    expect(await call('sendMessage', { chat_id: chat, text: source, parse_mode })).toMatchObject({
      result: { text, entities },
    });
  });

  it.each([
    [
      'MarkdownV2',
      'Done.',
      "can't parse entities: Character '.' is reserved and must be escaped with the preceding '\\'",
    ],
    ['MarkdownV2', 'ä *b', "can't parse entities: Can't find end of Bold entity at byte offset 3"],
    ['MarkdownV2', '`a', "can't parse entities: Can't find end of Code entity at byte offset 0"],
    ['Markdown', 'a *b', "can't parse entities: Can't find end of the entity starting at byte offset 2"],
    ['HTML', '<div>a</div>', 'can\'t parse entities: Unsupported start tag "div" at byte offset 0'],
    ['HTML', '<b>a', 'can\'t parse entities: Can\'t find end tag corresponding to start tag "b"'],
    [
      'HTML',
      '<b>a</i>',
      'can\'t parse entities: Unmatched end tag at byte offset 4, expected "</b>", found "</i>"',
    ],
    ['HTML', 'a</b>', "can't parse entities: Unexpected end tag at byte offset 1"],
    ['BBCode', 'a', 'unsupported parse_mode'],
  ])('%s refuses %s as the server does', async (parse_mode, text, description) => {
    expect(await call('sendMessage', { chat_id: chat, text, parse_mode })).toEqual({
      ok: false,
      error_code: 400,
      description: `Bad Request: ${description}`,
    });
  });
});
