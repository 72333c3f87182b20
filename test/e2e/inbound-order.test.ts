import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SlackSimulator } from '../../adapters/slack/simulator/index.js';
import { TelegramSimulator } from '../../adapters/telegram/simulator/index.js';
import { type ApiClient, eventually, type Json } from '../support/api-client.js';
import { type SharedService, shareService } from '../support/shared-service.js';

const slack = new SlackSimulator({ limits: 'none' });
const telegram = new TelegramSimulator({ limits: 'none' });
const NOWHERE = 'http://127.0.0.1:9/';
let service: SharedService;
let api: ApiClient;
let hook: string;
let channel: string;
let group: string;
let telegramId: string;
let conversation: string;

beforeAll(async () => {
  service = await shareService();
  api = service.client();
  await Promise.all([slack.start(), telegram.start()]);
  // The test itself delivers Slack's events, in its own order.
  slack.setWebhook(NOWHERE);
  channel = slack.chats().find(({ kind }) => kind === 'group')?.id ?? '';
  group = telegram.chats().find(({ kind }) => kind === 'group')?.id ?? '';
  const [onSlack, onTelegram] = await Promise.all(
    [slack, telegram].map((simulator) =>
      api.must(201, 'POST', `/openapi/platforms/${simulator.platform}/connections`, {
        name: simulator.platform,
        ...simulator.account(),
      }),
    ),
  );
  hook = String(onSlack?.webhook_url);
  telegramId = String(onTelegram?.id);
  const made = await api.must(201, 'POST', '/openapi/conversations', {
    links: [
      { connection_id: onSlack?.id, external_id: channel },
      { connection_id: telegramId, external_id: group },
    ],
  });
  conversation = String(made.id);
});
afterAll(async () => {
  await Promise.all([slack.stop(), telegram.stop()]);
});

let events = 0;

/** Delivers an event as Slack does, signed. `again` means that it is redelivered. */
async function deliver(event: Json, again = false): Promise<void> {
  if (!again) events += 1;
  const body = JSON.stringify({
    ...{ type: 'event_callback', api_app_id: 'A0', team_id: 'T0', event_id: `Ev${events}` },
    event: { channel, channel_type: 'channel', ...event },
  });
  const timestamp = String(Math.floor(Date.now() / 1000));
  const secret = String(slack.account().credentials.signing_secret);
  const signature = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex');
  const answer = await fetch(hook, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-Slack-Request-Timestamp': timestamp,
      'X-Slack-Signature': `v0=${signature}`,
    },
    body,
  });
  expect(answer.status).toBe(200);
}

const user = 'U0000000001';
const posted = (ts: string, text: string) => deliver({ type: 'message', user, text, ts, event_ts: ts });
const edited = (ts: string, text: string, event_ts: string) =>
  deliver({
    ...{ type: 'message', subtype: 'message_changed', ts: event_ts, event_ts },
    message: { type: 'message', user, text, ts, edited: { user, ts: event_ts } },
    previous_message: { type: 'message', user, text: 'something else', ts },
  });
const deleted = (ts: string, event_ts: string) =>
  deliver({ type: 'message', subtype: 'message_deleted', ts: event_ts, event_ts, deleted_ts: ts });

const onTelegram = () => telegram.messages(group).map(({ text }) => text);
const stored = async () =>
  (
    await api.must<{ data: Json[] }>(
      200,
      'GET',
      `/openapi/messages?filter=conversation_id:${conversation}&limit=100`,
    )
  ).data;

describe('Slack events that arrive out of order', () => {
  it('leave nothing of a message whose deletion arrived first, here or on Telegram', async () => {
    await deleted('1700000001.000100', '1700000009.000100');
    await posted('1700000001.000100', 'secret');
    await posted('1700000002.000100', 'after the secret');
    await eventually(
      async () => onTelegram(),
      (texts) => texts.some((text) => text.includes('after the secret')),
    );
    expect(onTelegram().filter((text) => text.includes(': secret'))).toEqual([]);
    expect((await stored()).map(({ text }) => text)).toEqual(['after the secret']);
  });

  it('show the latest edit, whichever arrived first', async () => {
    const ts = '1700000003.000100';
    await edited(ts, 'second edit', '1700000005.000100');
    await posted(ts, 'first words');
    await edited(ts, 'first edit', '1700000004.000100');
    await deliver({
      type: 'reaction_added',
      user,
      reaction: 'eyes',
      item: { type: 'message', channel, ts },
      event_ts: '1700000006.000100',
    });
    await eventually(
      async () => onTelegram(),
      (texts) => texts.some((text) => text.endsWith('second edit')),
    );
    const [message] = (await stored()).filter(({ text }) => text === 'second edit');
    expect(message?.reactions).toMatchObject([{ emoji: '👀' }]);
    expect(onTelegram().filter((text) => /first (words|edit)/.test(text))).toEqual([]);
  });
});

describe('a channel of Telegram and its discussion group in one conversation', () => {
  it('receive each message once, although Telegram repeats the post of the channel in the group', async () => {
    const [, other] = telegram.chats().filter(({ kind }) => kind === 'group');
    const channelId = other?.id ?? '';
    await api.must(201, 'POST', `/openapi/conversations/${conversation}/links`, {
      connection_id: telegramId,
      external_id: channelId,
    });
    const { id } = await api.must(201, 'POST', '/openapi/messages', {
      conversation_id: conversation,
      text: 'News',
    });
    await eventually(
      () => api.must(200, 'GET', `/openapi/messages/${id}`),
      ({ deliveries }) => (deliveries as Json[]).every(({ status }) => status === 'sent'),
    );
    const before = (await stored()).length;
    const posts = telegram.messages(channelId).filter(({ text }) => text === 'News');
    expect(posts).toHaveLength(1);
    const chat = { id: Number(channelId), type: 'channel', title: 'News' } as const;
    const date = Math.floor(Date.now() / 1000);
    telegram.happen({
      message: {
        ...{
          message_id: 9_001,
          chat: { id: Number(group), type: 'supergroup', title: 'Chat' },
          date,
          text: 'News',
        },
        ...{ from: { id: 777_000, is_bot: false, first_name: 'Telegram' }, sender_chat: chat },
        is_automatic_forward: true,
        forward_origin: { type: 'channel', chat, message_id: Number(posts[0]?.id), date },
      },
    } as never);
    await telegram.post({ chatId: group, sender: 'Ada', text: 'after the forward' });
    await eventually(stored, (all) => all.some(({ text }) => text === 'after the forward'));
    expect((await stored()).length).toBe(before + 1);
    for (const chatId of [channelId, group])
      expect(telegram.messages(chatId).filter(({ text }) => text.includes('News'))).toHaveLength(1);
  });
});
