import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DiscordSimulator } from '../../adapters/discord/simulator/index.js';
import { SlackSimulator } from '../../adapters/slack/simulator/index.js';
import { TwilioSimulator } from '../../adapters/sms/simulator/index.js';
import { TelegramSimulator } from '../../adapters/telegram/simulator/index.js';
import type { SynchronousSimulator } from '../../src/contract/simulation/index.js';
import { type ApiClient, eventually, type Json } from '../support/api-client.js';
import { type SharedService, shareService } from '../support/shared-service.js';

const slack = new SlackSimulator({ limits: 'none' });
const telegram = new TelegramSimulator({ limits: 'none' });
const discord = new DiscordSimulator({ limits: 'none' });
const sms = new TwilioSimulator({ limits: 'none' });
const all: readonly SynchronousSimulator[] = [slack, telegram, discord, sms];
const chatOf = (simulator: SynchronousSimulator) =>
  simulator === sms
    ? simulator.address(1)
    : (simulator.chats().find(({ kind }) => kind === 'group')?.id ?? '');

let service: SharedService;
let api: ApiClient;
let conversation: Json;

async function link(simulator: SynchronousSimulator): Promise<Json> {
  await simulator.start();
  const connection = await api.must(201, 'POST', `/openapi/platforms/${simulator.platform}/connections`, {
    name: simulator.platform,
    ...simulator.account(),
  });
  return { connection_id: connection.id, external_id: chatOf(simulator) };
}

/** Sends a message. Resolves with its deliveries by platform once all are sent. */
async function say(text: string, more: Json = {}): Promise<{ id: string; by: Record<string, Json> }> {
  const body = { conversation_id: conversation.id, text, ...more };
  const { id } = await api.must(201, 'POST', '/openapi/messages', body);
  const sent = await eventually(
    () => api.must(200, 'GET', `/openapi/messages/${id}`),
    ({ deliveries }) =>
      (deliveries as Json[]).every(({ status }) => status === 'sent' || status === 'delivered'),
  );
  const by = Object.fromEntries((sent.deliveries as Json[]).map((each) => [String(each.platform), each]));
  return { id: String(id), by };
}

const idOn = (delivery: Json | undefined) => (delivery?.parts as Json[] | undefined)?.[0]?.external_id;
const shown = (simulator: SynchronousSimulator, text: string) =>
  simulator.messages(chatOf(simulator)).find((message) => message.text === text);

beforeAll(async () => {
  service = await shareService();
  api = service.client();
  const links = [];
  for (const simulator of all) links.push(await link(simulator));
  conversation = await api.must(201, 'POST', '/openapi/conversations', { links });
});
afterAll(async () => {
  for (const simulator of all) await simulator.stop();
});

describe('a message with a thread_id', () => {
  it('goes into the thread of the root on Slack, replies to the root on Telegram and Discord, and reports lost threads', async () => {
    const root = await say('root');
    const { by } = await say('in the thread', { thread_id: root.id });
    const [post] = slack.ledger
      .entries('chat.postMessage')
      .filter(({ request }) => (request as Json).text === 'in the thread');
    expect(post?.request).toMatchObject({ thread_ts: idOn(root.by.slack) });
    expect(by.slack?.degradations).toEqual([]);
    expect(shown(telegram, 'in the thread')?.replyToId).toBe(idOn(root.by.telegram));
    expect(shown(discord, 'in the thread')?.replyToId).toBe(idOn(root.by.discord));
    for (const platform of ['telegram', 'discord', 'sms'])
      expect(by[platform]?.degradations).toEqual(['thread']);
  });

  it('stays in the thread when it replies to a message of it', async () => {
    const root = await say('root 2');
    const inThread = await say('one', { thread_id: root.id });
    await say('two', { reply_to_id: inThread.id });
    expect(shown(slack, 'two')?.replyToId).toBe(idOn(root.by.slack));
    expect(shown(telegram, 'two')?.replyToId).toBe(idOn(inThread.by.telegram));
  });

  it('reports a lost thread if the root has no copy', async () => {
    const note = await api.must(201, 'POST', '/openapi/messages', {
      conversation_id: conversation.id,
      text: 'internal root',
      internal: true,
    });
    const { by } = await say('alone', { thread_id: note.id });
    for (const simulator of all) expect(by[simulator.platform]?.degradations).toEqual(['thread']);
    expect(shown(slack, 'alone')).not.toHaveProperty('replyToId');
  });
});
