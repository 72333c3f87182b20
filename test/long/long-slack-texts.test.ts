import { afterAll, beforeAll, expect, it } from 'vitest';
import { DiscordSimulator } from '../../adapters/discord/simulator/index.js';
import { SlackSimulator } from '../../adapters/slack/simulator/index.js';
import { TwilioSimulator } from '../../adapters/sms/simulator/index.js';
import { TelegramSimulator } from '../../adapters/telegram/simulator/index.js';
import type { SynchronousSimulator } from '../../src/contract/simulation/index.js';
import { type ApiClient, eventually, type Json } from '../support/api-client.js';
import { type SharedService, shareService } from '../support/shared-service.js';

const LENGTH = 11_998;

const slack = new SlackSimulator({ limits: 'none' });
const others = [
  new TelegramSimulator({ limits: 'none' }),
  new DiscordSimulator({ limits: 'none' }),
  new TwilioSimulator({ limits: 'none' }),
];
const all: readonly SynchronousSimulator[] = [slack, ...others];
const chatOf = (simulator: SynchronousSimulator) =>
  simulator.chats().find(({ kind }) => kind === 'group')?.id ?? simulator.address(1);

let service: SharedService;
let api: ApiClient;
let conversation: Json;

beforeAll(async () => {
  service = await shareService();
  api = service.client();
  const links: Json[] = [];
  for (const simulator of all) {
    await simulator.start();
    const path = `/openapi/platforms/${simulator.platform}/connections`;
    const { credentials, settings } = simulator.account();
    // The default of one SMS per second would take minutes.
    const body = { name: 'A', credentials, settings: { ...settings, rate_per_second: 1_000 } };
    const connection = await api.must(201, 'POST', path, body);
    simulator.setWebhook?.(String(connection.webhook_url));
    links.push({ connection_id: connection.id, external_id: chatOf(simulator), attribution: 'none' });
  }
  conversation = await api.must(201, 'POST', '/openapi/conversations', { links });
});
afterAll(async () => {
  for (const simulator of all) await simulator.stop();
});

/** All words differ, so that a missing or duplicated piece is visible. */
function words(prefix: string, length: number): string {
  let text = '';
  for (let n = 0; text.length < length; n += 1) text += `${prefix}${n} `;
  return `${text.slice(0, length - 1)}.`;
}

/** The text in a chat, without the blanks at which platforms split a text into messages. */
const bare = (text: string) => text.replaceAll(/\s/g, '');
const shown = (simulator: SynchronousSimulator) =>
  bare(
    simulator
      .messages(chatOf(simulator))
      .filter(({ own, deleted }) => own && !deleted)
      .map(({ text }) => text)
      .join(''),
  );

async function stored(): Promise<string> {
  const path = `/openapi/messages?filter=conversation_id:${conversation.id}&sort=send_at&order=asc`;
  const { data } = await api.must<{ data: Json[] }>(200, 'GET', path);
  return data.map(({ text }) => text).join('');
}

it('a text of 11,998 characters from Slack is shown whole on the other platforms, and so are its edits', async () => {
  const text = words('w', LENGTH);
  const post = { chatId: chatOf(slack), sender: 'Ann', text };
  const id = await slack.post(post);
  await eventually(stored, (seen) => seen === text);
  for (const simulator of others)
    expect(
      await eventually(
        async () => shown(simulator),
        (seen) => seen === bare(text),
      ),
    ).toBe(bare(text));
  const edited = words('edited', LENGTH);
  await slack.edit(post.chatId, id, edited);
  await eventually(stored, (seen) => seen === edited);
  const [telegram, discord] = others;
  for (const simulator of [telegram, discord])
    expect(
      await eventually(
        async () => shown(simulator!),
        (seen) => seen === bare(edited),
      ),
    ).toBe(bare(edited));
});
