import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Bot } from 'grammy';
import twilio, { RequestClient } from 'twilio';
import { afterAll, describe, expect, test } from 'vitest';
import { waitUntil } from '../../src/cli/wait-until.js';
import { childEnvironment } from '../../src/config.js';

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));
const children: ChildProcess[] = [];
afterAll(() => children.forEach((child) => void child.kill('SIGKILL')));

/** Runs `trunkline simulate`. Resolves with its output once it has started. */
async function simulate(...args: string[]) {
  const child = spawn(process.execPath, ['bin/trunkline.mjs', 'simulate', ...args], {
    cwd: REPOSITORY,
    env: childEnvironment({}),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const closed = once(child, 'close');
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    said += String(chunk);
  });
  await waitUntil(() => said.includes('Ctrl+C') || child.exitCode !== null);
  const field = (name: string) => new RegExp(`^  ${name} +(\\S+)$`, 'm').exec(said)?.[1] ?? '';
  const control = async <T>(
    method: string,
    path: string,
    body?: object,
  ): Promise<{ status: number; body: T }> => {
    const response = await fetch(`${field('control')}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as T };
  };
  const stop = async () => {
    child.kill('SIGTERM');
    return (await closed)[0] as number;
  };
  return { said, field, control, stop, code: child.exitCode };
}

describe('trunkline simulate', () => {
  test('simulates Telegram for grammY, with messages of people and failing requests', async () => {
    const { field, control, stop } = await simulate('telegram', '--seed', '500');
    const bot = new Bot(field('bot_token'), { client: { apiRoot: field('api_base_url') } });
    const heard: string[] = [];
    bot.on('message:text', async (context) => {
      heard.push(context.message.text);
      await context.reply(`You said ${context.message.text}`);
    });
    void bot.start();
    const chats = await control<{ id: string; kind: string }[]>('GET', '/chats');
    const chatId = chats.body.find(({ kind }) => kind === 'direct')?.id ?? '';
    const posted = await control<{ id: string }>('POST', '/messages', {
      chatId,
      sender: 'Ada',
      text: 'Hello',
    });
    expect(posted).toEqual({ status: 200, body: { id: '500' } });
    const answered = await waitUntil(async () => {
      const { body } = await control<{ text: string }[]>('GET', `/messages?chatId=${chatId}`);
      return body.length === 2 && body;
    });
    expect(answered).toMatchObject([{ text: 'Hello' }, { text: 'You said Hello', own: true }]);
    expect(heard).toEqual(['Hello']);
    const rule = {
      fault: { kind: 'rate_limited', retryAfterMs: 7_000, shape: 'seconds' },
      call: 'sendMessage',
    };
    expect((await control('POST', '/faults', rule)).status).toBe(200);
    await expect(bot.api.sendMessage(chatId, 'Too fast')).rejects.toMatchObject({
      error_code: 429,
      parameters: { retry_after: 7 },
    });
    const { body } = await control<{ counts: object }>('GET', '/ledger');
    expect(body.counts).toMatchObject({ sendMessage: 2 });
    const unknown = { chatId, messageId: '999999', text: 'Late' };
    expect(await control('PATCH', '/messages', unknown)).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('999999') },
    });
    expect((await control('DELETE', '/messages', { chatId, messageId: '999999' })).status).toBe(400);
    const edit = { chatId, messageId: '500', text: 'Hello again' };
    expect((await control('PATCH', '/messages', edit)).status).toBe(200);
    await bot.stop();
    expect(await stop()).toBe(0);
  });

  test('simulates Twilio for the twilio package, and replaces its token', async () => {
    const { field, control, stop } = await simulate('twilio');
    const client = (token: string) =>
      twilio(field('account_sid'), token, { httpClient: new Local(field('api_base_url')) });
    const message = { from: field('from'), to: '+12025550143', body: 'Hello' };
    expect((await client(field('auth_token')).messages.create(message)).status).toBe('queued');
    const revoked = await control<{ credentials: { auth_token: string } }>('POST', '/incidents', {
      kind: 'revoke_token',
    });
    await expect(client(field('auth_token')).messages.create(message)).rejects.toMatchObject({ code: 20003 });
    await client(revoked.body.credentials.auth_token).messages.create(message);
    expect((await control('POST', '/incidents', { kind: 'migrate', chatId: '1' })).status).toBe(409);
    expect((await control('POST', '/faults', { fault: { kind: 'unheard_of' } })).status).toBe(400);
    expect((await control('GET', '/nowhere')).status).toBe(404);
    expect(await stop()).toBe(0);
  });

  test('lists the platforms when it is given an unknown one', async () => {
    const { said, code } = await simulate('pigeon');
    expect([code, said]).toEqual([
      2,
      expect.stringContaining('There is no simulator "pigeon". There are telegram, discord, slack, twilio.'),
    ]);
  });
});

class Local extends RequestClient {
  constructor(readonly baseUrl: string) {
    super();
  }

  override request<T>(options: Parameters<typeof RequestClient.prototype.request<T>>[0]) {
    const { pathname, search } = new URL(options.uri);
    return super.request<T>({ ...options, uri: this.baseUrl + pathname + search });
  }
}
