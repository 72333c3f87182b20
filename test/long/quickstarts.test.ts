import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, test } from 'vitest';
import { DiscordSimulator } from '../../adapters/discord/simulator/index.js';
import { SlackSimulator } from '../../adapters/slack/simulator/index.js';
import { TwilioSimulator } from '../../adapters/sms/simulator/index.js';
import { TelegramSimulator } from '../../adapters/telegram/simulator/index.js';
import type { SimulatedAccount, Simulator } from '../../src/contract/simulation/index.js';
import { eventually, type Json } from '../support/api-client.js';
import { loopbackReceiver, type ReceivedRequest } from '../support/loopback-receiver.js';
import { shareService } from '../support/shared-service.js';

const run = promisify(execFile);
const WEBHOOK = 'https://shop.example/hooks/trunkline';

interface Platform {
  readonly platform: string;
  readonly simulator: Simulator;
  /** The credentials by the names of the page's variables. */
  readonly variables: (account: SimulatedAccount) => Record<string, unknown>;
  readonly account: () => SimulatedAccount;
  readonly isReady: (health: string) => boolean;
}

const slack = new SlackSimulator({ limits: 'none' });
const telegram = new TelegramSimulator({ limits: 'none' });
const discord = new DiscordSimulator({ limits: 'none' });
const sms = new TwilioSimulator({ limits: 'none' });
const platforms: Platform[] = [
  {
    platform: 'telegram',
    simulator: telegram,
    account: () => telegram.account(),
    variables: ({ credentials }) => ({ TELEGRAM_BOT_TOKEN: credentials.bot_token }),
    isReady: () => true,
  },
  {
    platform: 'discord',
    simulator: discord,
    account: () => discord.account(),
    variables: ({ credentials }) => ({ DISCORD_BOT_TOKEN: credentials.bot_token }),
    // The token is accepted before the socket is open.
    isReady: (health) => health.includes('gateway'),
  },
  {
    platform: 'slack',
    simulator: slack,
    account: () => slack.accountForGateway(),
    variables: ({ credentials }) => ({
      SLACK_BOT_TOKEN: credentials.bot_token,
      SLACK_APP_TOKEN: credentials.app_token,
    }),
    // The tokens are accepted before the socket is open.
    isReady: (health) => health.startsWith('Connected to Slack'),
  },
  {
    platform: 'sms',
    simulator: sms,
    account: () => sms.account(),
    variables: ({ credentials, settings }) => ({
      TWILIO_ACCOUNT_SID: credentials.account_sid,
      TWILIO_AUTH_TOKEN: credentials.auth_token,
      TWILIO_NUMBER: settings.from,
    }),
    isReady: (health) => health.startsWith('Ready'),
  },
];

const readPage = (platform: string) => readFileSync(`docs/quickstart-${platform}.md`, 'utf8');

/** The blocks of a page that call the API, in their order: connect, status, newest message, reply, webhook. */
function commandsOf(page: string): string[] {
  const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
  return blocks.filter((code) => code.startsWith('curl '));
}

/** The page's connection calls the platform. The test's connection calls the simulator. */
const withAddress = (command: string, address: unknown) =>
  command.includes('"settings": {')
    ? command.replace('"settings": {', `"settings": {"api_base_url": "${address}", `)
    : command.replace('"credentials"', `"settings": {"api_base_url": "${address}"}, "credentials"`);

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function webhookServer() {
  const server = await loopbackReceiver((_request, response) => response.writeHead(200).end());
  ends.push(() => server.close());
  return server;
}

const isCreated = ({ body }: ReceivedRequest) => {
  const { event, data } = JSON.parse(body) as { event: string; data: Json };
  return event === 'message.created' && data.text === 'Hello again';
};

describe('The commands of the quickstart', () => {
  test.each(platforms)(
    'for $platform connect it, receive, reply, and register a webhook that receives signed events',
    async ({ platform, simulator, account, variables, isReady }) => {
      await simulator.start();
      ends.push(async () => simulator.stop());
      const [service, server] = await Promise.all([shareService(), webhookServer()]);
      const env = {
        ...(variables(account()) as Record<string, string>),
        PATH: process.env.PATH ?? '',
        TRUNKLINE: `${service.url}/v1`,
        TRUNKLINE_API_KEY: service.key,
      };
      const sh = async (command: string) => {
        const { stdout } = await run(
          'bash',
          ['-c', command.replace('curl ', 'curl --silent --show-error ')],
          { env },
        );
        return JSON.parse(stdout) as Json;
      };
      const first = ({ data }: Json) => (data as Json[])[0] ?? {};
      const [connect = '', status = '', newest = '', reply = '', webhook = ''] = commandsOf(
        readPage(platform),
      );

      expect(await sh(withAddress(connect, account().settings.api_base_url))).toMatchObject({ platform });
      const connection = await eventually(
        async () => first(await sh(status)),
        (found) => found.status === 'connected' && isReady(String((found.health as Json).message)),
      );
      if (simulator instanceof TwilioSimulator) simulator.setWebhook(String(connection.webhook_url));

      const chat = (await simulator.chats())[0]?.id ?? '';
      const say = async (text: string) => simulator.post({ chatId: chat, sender: 'Ada', text });
      await say('Hello');
      const received = await eventually(
        async () => first(await sh(newest)),
        ({ text }) => text === 'Hello',
      );
      expect(received).toMatchObject({ direction: 'inbound', conversation_number: 1, platform });

      expect(await sh(reply)).toMatchObject({ text: 'Hello! How can we help?' });
      await eventually(
        async () => simulator.messages(chat),
        (shown) => shown.some(({ text, own }) => own && text === 'Hello! How can we help?'),
      );

      expect(webhook).toContain(WEBHOOK);
      const { secret } = await sh(webhook.replace(WEBHOOK, server.url));
      await say('Hello again');
      await eventually(
        async () => server.received,
        (requests) => requests.some(isCreated),
      );
      const request = server.received.find(isCreated);
      const headers = request?.headers as Record<string, string>;
      expect(() => new Webhook(String(secret)).verify(request?.body ?? '', headers)).not.toThrow();
    },
  );
});

test('The command that links two chats relays messages between them', async () => {
  const chats = [new TelegramSimulator({ limits: 'none' }), new SlackSimulator({ limits: 'none' })] as const;
  const [telegramChat, slackChannel] = chats;
  for (const simulator of chats) await simulator.start();
  ends.push(async () => {
    for (const simulator of chats) await simulator.stop();
  });
  const service = await shareService();
  const api = service.client();
  const connect = async (platform: string, account: SimulatedAccount) => {
    const path = `/openapi/platforms/${platform}/connections`;
    const { id } = await api.must<Json>(201, 'POST', path, { name: platform, ...account });
    const found = () => api.must<Json>(200, 'GET', `/openapi/platforms/connections/${id}`);
    await eventually(found, ({ status }) => status === 'connected');
    return String(id);
  };
  const env = {
    PATH: process.env.PATH ?? '',
    TRUNKLINE: `${service.url}/v1`,
    TRUNKLINE_API_KEY: service.key,
    TELEGRAM_CONNECTION: await connect('telegram', telegramChat.account()),
    SLACK_CONNECTION: await connect('slack', slackChannel.accountForGateway()),
  };
  const group = (simulator: TelegramSimulator | SlackSimulator) =>
    simulator.chats().find(({ kind }) => kind === 'group')?.id ?? '';
  const [command = ''] = commandsOf(readFileSync('docs/linking-chats.md', 'utf8'));
  const actual = command
    .replace('-1001234567890', group(telegramChat))
    .replace('C0123456789', group(slackChannel))
    .replace('curl ', 'curl --fail ');
  await run('bash', ['-c', actual], { env });
  await telegramChat.post({ chatId: group(telegramChat), sender: 'Ada', text: 'Hello, Slack' });
  await eventually(
    async () => slackChannel.messages(group(slackChannel)),
    (shown) => shown.some(({ text, own }) => own && text.includes('Hello, Slack')),
  );
});

test('The command of the page about the REST API sends its message once, however often it is repeated', async () => {
  const simulator = new TelegramSimulator({ limits: 'none' });
  await simulator.start();
  ends.push(async () => simulator.stop());
  const service = await shareService();
  const api = service.client();
  const connection = { name: 'Bot', ...simulator.account() };
  await api.must<Json>(201, 'POST', '/openapi/platforms/telegram/connections', connection);
  const chat = simulator.chats()[0]?.id ?? '';
  await simulator.post({ chatId: chat, sender: 'Ada', text: 'Hello' });
  const [command = ''] = commandsOf(readFileSync('docs/rest-api.md', 'utf8'));
  const env = {
    PATH: process.env.PATH ?? '',
    TRUNKLINE: `${service.url}/v1`,
    TRUNKLINE_API_KEY: service.key,
  };
  const send = async () => {
    const { stdout } = await run('bash', ['-c', command.replace('700001', chat)], { env });
    return JSON.parse(stdout) as Json;
  };
  await eventually(
    async () => (await api.must<{ data: Json[] }>(200, 'GET', '/openapi/messages?limit=1')).data,
    ([found]) => found?.text === 'Hello',
  );
  const first = await send();
  expect(first).toMatchObject({ text: 'Your order is on its way.' });
  expect((await send()).id).toBe(first.id);
  await eventually(
    async () => simulator.messages(chat).filter(({ own }) => own),
    (shown) => shown.length === 1,
  );
});

test('The manifest of the Slack quickstart has the scopes and events that the page of the adapter lists', () => {
  const [, json = ''] = /```json\n([\s\S]*?)```/.exec(readPage('slack')) ?? [];
  const manifest = JSON.parse(json) as {
    oauth_config: { scopes: { bot: string[] } };
    settings: { event_subscriptions: { bot_events: string[] } };
  };
  const adapter = readFileSync('adapters/slack/README.md', 'utf8');
  const [, scopes = ''] = /Bot scopes: ([\s\S]*?)Bot events:/.exec(adapter) ?? [];
  const [, events = ''] = /Bot events: ([\s\S]*?)For webhooks/.exec(adapter) ?? [];
  const named = (text: string) => [...text.matchAll(/`([\w:.]+)`/g)].map(([, name]) => name);
  expect([...manifest.oauth_config.scopes.bot].sort()).toEqual(named(scopes).sort());
  // A mention is also a message of its channel, so its event is ignored.
  const needed = named(events).filter((event) => event !== 'app_mention');
  expect([...manifest.settings.event_subscriptions.bot_events].sort()).toEqual(needed.sort());
});
