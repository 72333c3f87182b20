import { Api, Bot, GrammyError } from 'grammy';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TelegramSimulator } from '../../../adapters/telegram/simulator/index.js';
import { GROUP } from '../../../adapters/telegram/simulator/state.js';

/** The simulator, tested with the platform's own unmodified client and without the adapter's code. */

let simulator: TelegramSimulator;
let apiRoot: string;

beforeEach(async () => {
  simulator = new TelegramSimulator();
  apiRoot = (await simulator.start()).apiBaseUrl;
});

afterEach(() => simulator.stop());

const token = () => simulator.account().credentials.bot_token ?? '';
const api = (as = token()) => new Api(as, { apiRoot });

async function refusal(attempt: Promise<unknown>): Promise<GrammyError> {
  const error = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof GrammyError)) throw new Error(`Expected a refusal of the Bot API, got ${error}`);
  return error;
}

it('the simulated Telegram serves the client’s own polling loop', async () => {
  const bot = new Bot(token(), { client: { apiRoot } });
  const heard = new Promise<string>((resolve) => {
    bot.on('message:text', async (context) => {
      await context.reply('Pong', { reply_parameters: { message_id: context.message.message_id } });
      resolve(context.message.text);
    });
  });
  const running = bot.start();
  const id = await simulator.post({ chatId: String(GROUP), sender: 'Ada', text: 'Ping' });
  expect(await heard).toBe('Ping');
  await bot.stop();
  await running;
  expect(simulator.messages(String(GROUP))).toMatchObject([
    { text: 'Ping', own: false, sender: 'Ada' },
    { text: 'Pong', own: true, replyToId: id },
  ]);
});

describe('the simulated Telegram', () => {
  it('responds with 401 to a wrong token and with 404 to an invalid token or method', async () => {
    expect(await refusal(api('7000000001:wrong').getMe())).toMatchObject({
      error_code: 401,
      description: 'Unauthorized',
    });
    expect(await refusal(api('nonsense').getMe())).toMatchObject({ error_code: 404 });
    expect(await refusal(api().getMyStarBalance())).toMatchObject({ error_code: 404 });
  });

  it('ends the older of two requests for updates', async () => {
    const older = refusal(api().getUpdates({ timeout: 20 }));
    await untilWaiting();
    const newer = api().getUpdates({ timeout: 20 });
    expect(await older).toMatchObject({ error_code: 409 });
    await simulator.post({ chatId: String(GROUP), sender: 'Ada', text: 'x' });
    expect(await newer).toHaveLength(1);
  });

  it('delivers updates either by webhook or by polling', async () => {
    await api().setWebhook('http://127.0.0.1:9/nobody', { secret_token: 's' });
    expect(await refusal(api().getUpdates())).toMatchObject({ error_code: 409 });
    await simulator.post({ chatId: String(GROUP), sender: 'Ada', text: 'x' });
    expect(await api().getWebhookInfo()).toMatchObject({ pending_update_count: 1 });
    await api().deleteWebhook();
    expect(await api().getUpdates()).toHaveLength(1);
  });

  it('repeats updates until an offset confirms them', async () => {
    await simulator.post({ chatId: String(GROUP), sender: 'Ada', text: 'x' });
    const [first] = await api().getUpdates();
    expect(await api().getUpdates()).toEqual([first]);
    const offset = (first?.update_id ?? 0) + 1;
    expect(await api().getUpdates({ offset })).toEqual([]);
    await simulator.post({ chatId: String(GROUP), sender: 'Ada', text: 'y' });
    expect(await api().getUpdates({ offset })).toMatchObject([{ update_id: offset }]);
  });

  it('accepts up to 4096 UTF-16 units of text after trimming', async () => {
    await api().sendMessage(GROUP, ` ${'x'.repeat(4096)} `);
    expect(await refusal(api().sendMessage(GROUP, 'x'.repeat(4097)))).toMatchObject({
      description: 'Bad Request: message is too long',
    });
    expect(await refusal(api().sendMessage(GROUP, ' \n'))).toMatchObject({
      description: 'Bad Request: message text is empty',
    });
  });

  it('checks entities against the text, also against its surrogate pairs', async () => {
    const bold = (offset: number, length: number) => ({
      entities: [{ type: 'bold' as const, offset, length }],
    });
    expect((await api().sendMessage(GROUP, ' 👍 yes', bold(1, 2))).entities).toEqual([
      { type: 'bold', offset: 0, length: 2 },
    ]);
    expect(await refusal(api().sendMessage(GROUP, '👍', bold(1, 1)))).toMatchObject({ error_code: 400 });
    expect(await refusal(api().sendMessage(GROUP, 'abc', bold(0, 4)))).toMatchObject({ error_code: 400 });
  });

  it('accepts 20 messages a minute for a group and states the wait for the next', async () => {
    for (let count = 0; count < 20; count += 1) await api().sendMessage(GROUP, `Message ${count}`);
    const { error_code, parameters } = await refusal(api().sendMessage(GROUP, 'One too many'));
    expect(error_code).toBe(429);
    expect(parameters.retry_after).toBeGreaterThanOrEqual(1);
    expect(simulator.messages(String(GROUP))).toHaveLength(20);
  });

  it('refuses edits and deletions of messages of people', async () => {
    const hers = Number(await simulator.post({ chatId: String(GROUP), sender: 'Ada', text: 'Hers' }));
    expect(await refusal(api().editMessageText(GROUP, hers, 'Mine'))).toMatchObject({
      description: "Bad Request: message can't be edited",
    });
    expect(await refusal(api().deleteMessage(GROUP, hers))).toMatchObject({
      description: "Bad Request: message can't be deleted",
    });
    expect(await refusal(api().deleteMessage(GROUP, 999))).toMatchObject({
      description: 'Bad Request: message to delete not found',
    });
  });

  it('describes a chat, and refuses an unknown one', async () => {
    expect(await api().getChat(GROUP)).toMatchObject({ id: GROUP, type: 'supergroup' });
    expect(await refusal(api().getChat(12))).toMatchObject({ description: 'Bad Request: chat not found' });
  });
});

/** A waiting request is not in the ledger yet. A later request that is answered shows that it arrived. */
async function untilWaiting(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 20));
  await api().getMe();
}
