import { Api, GrammyError, InputFile, InputMediaBuilder } from 'grammy';
import type { ReactionTypeEmoji } from 'grammy/types';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Reaction, reactions } from '../../../adapters/telegram/outbound/reactions.js';
import { TelegramSimulator } from '../../../adapters/telegram/simulator/index.js';
import { GROUP } from '../../../adapters/telegram/simulator/state.js';
import { png } from '../../support/files.js';

/** Files, locations and reactions of the simulator, tested with the platform's own unmodified client. */

let simulator: TelegramSimulator;
let api: Api;

beforeEach(async () => {
  simulator = new TelegramSimulator({ limits: 'none' });
  const { apiBaseUrl: apiRoot } = await simulator.start();
  api = new Api(simulator.account().credentials.bot_token ?? '', { apiRoot });
});

afterEach(() => simulator.stop());

async function description(attempt: Promise<unknown>): Promise<string> {
  const error = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof GrammyError)) throw new Error(`Expected a refusal of the Bot API, got ${error}`);
  return error.description;
}

const file = () => new InputFile(png(2, 2), 'a.png');
const photo = (caption?: string) => InputMediaBuilder.photo(file(), caption === undefined ? {} : { caption });

describe('captions of the simulated Telegram', () => {
  it('have up to 1,024 characters after trimming', async () => {
    await api.sendPhoto(GROUP, file(), { caption: ` ${'x'.repeat(1024)} ` });
    expect(await description(api.sendPhoto(GROUP, file(), { caption: 'x'.repeat(1025) }))).toBe(
      'Bad Request: message caption is too long',
    );
  });

  it('can be edited and removed on messages that have them, and only there', async () => {
    const { message_id: id } = await api.sendDocument(GROUP, file(), { caption: 'Old' });
    await api.editMessageCaption(GROUP, id, { caption: 'New' });
    await api.editMessageCaption(GROUP, id);
    expect(simulator.messages(String(GROUP))).toMatchObject([{ text: '', edited: true }]);
    expect(await description(api.editMessageText(GROUP, id, 'x'))).toContain('no text in the message');
    const text = await api.sendMessage(GROUP, 'x');
    expect(await description(api.editMessageCaption(GROUP, text.message_id))).toContain('no caption');
  });
});

describe('albums of the simulated Telegram', () => {
  it('consist of messages with an id each and a common group id', async () => {
    const sent = await api.sendMediaGroup(GROUP, [photo('Trip'), photo(), InputMediaBuilder.video(file())]);
    const albums = sent.map((message) => 'media_group_id' in message && message.media_group_id);
    expect(new Set(albums).size).toBe(1);
    expect(simulator.messages(String(GROUP)).map(({ id, text }) => [Number(id), text])).toEqual(
      sent.map(({ message_id: id }, index) => [id, index === 0 ? 'Trip' : '']),
    );
  });

  it.each([
    ['of one file', () => [photo()], 'from 2 to 10'],
    ['of eleven files', () => Array.from({ length: 11 }, () => photo()), 'from 2 to 10'],
    ['of kinds that do not mix', () => [photo(), InputMediaBuilder.document(file())], "can't mix"],
    [
      'with a file that is no picture',
      () => [photo(), InputMediaBuilder.photo(new InputFile(Buffer.from('text'), 'x.png'))],
      'failed to send message #2 with the error message "IMAGE_PROCESS_FAILED"',
    ],
    ['with a long caption', () => [photo(), photo('x'.repeat(1025))], 'failed to send message #2'],
  ])('%s are refused as a whole', async (_, media, why) => {
    expect(await description(api.sendMediaGroup(GROUP, media() as never))).toContain(why);
    expect(simulator.messages(String(GROUP))).toEqual([]);
  });
});

describe('reactions of the simulated Telegram', () => {
  it('are the complete list of the platform, without duplicates', () => {
    const known: readonly ReactionTypeEmoji['emoji'][] = reactions;
    const complete: [Exclude<ReactionTypeEmoji['emoji'], Reaction>] extends [never] ? true : false = true;
    expect(complete).toBe(true);
    expect(new Set(known).size).toBe(known.length);
  });

  it('are limited to one for a bot, and can be set, changed and removed', async () => {
    const id = Number(await simulator.post({ chatId: String(GROUP), sender: 'Ada', text: 'x' }));
    const set = (...emoji: Reaction[]) =>
      api.setMessageReaction(
        GROUP,
        id,
        emoji.map((one) => ({ type: 'emoji', emoji: one })),
      );
    await set('👍');
    await set('🎉');
    expect(simulator.reactionOn(String(GROUP), String(id))).toBe('🎉');
    await set();
    expect(simulator.reactionOn(String(GROUP), String(id))).toBeUndefined();
    expect(await description(set('👍', '🎉'))).toContain('REACTIONS_TOO_MANY');
    expect(await description(set('🦖' as Reaction))).toContain('REACTION_INVALID');
  });
});

it('the simulated Telegram accepts one answer to a pressed button', async () => {
  const { message_id: id } = await api.sendMessage(GROUP, 'Choose');
  await api.getUpdates({ allowed_updates: ['callback_query'] });
  const press = simulator.press(String(GROUP), String(id), 'Ada', 'Yes', 'y');
  expect(await api.getUpdates()).toMatchObject([{ callback_query: { id: press, data: 'y' } }]);
  await api.answerCallbackQuery(press);
  expect(await description(api.answerCallbackQuery(press))).toContain('too old');
});

it('the simulated Telegram accepts locations, venues and contact cards, and refuses invalid coordinates', async () => {
  expect(await api.sendLocation(GROUP, 48.2, 16.4)).toMatchObject({ location: { latitude: 48.2 } });
  expect(await api.sendVenue(GROUP, 48.2, 16.4, 'Café', 'Ring 1')).toMatchObject({
    venue: { title: 'Café' },
  });
  expect(await api.sendContact(GROUP, '+431', 'Bo')).toMatchObject({ contact: { first_name: 'Bo' } });
  expect(await description(api.sendLocation(GROUP, 91, 0))).toContain('latitude');
});
