import { afterAll, beforeAll, expect, it } from 'vitest';
import { DiscordSimulator } from '../../adapters/discord/simulator/index.js';
import { SlackSimulator } from '../../adapters/slack/simulator/index.js';
import { TelegramSimulator } from '../../adapters/telegram/simulator/index.js';
import type { Finding } from '../../src/cli/doctor/finding.js';
import type { SimulatedAccount } from '../../src/contract/simulation/index.js';
import { eventually, type Json } from '../support/api-client.js';
import { CommandHost } from '../support/command-line.js';
import { type TestDatabase, testDatabase } from '../support/postgres.js';
import { type Service, startService } from '../support/service.js';

/** Longer than the 30 s after which a conflict of two programs is no handover. */
const LIMIT_MS = 90_000;

const slack = new SlackSimulator({ limits: 'none' });
const discord = new DiscordSimulator({ limits: 'none', messageContent: false });
const telegram = new TelegramSimulator({ limits: 'none' });
let database: TestDatabase;
let service: Service;
let host: CommandHost;

beforeAll(async () => {
  host = new CommandHost();
  database = await testDatabase();
  service = await startService({ env: settings() });
  await Promise.all([slack.start(), discord.start(), telegram.start()]);
});
afterAll(async () => {
  await host.stop();
  await service.stop();
  await database.drop();
  await Promise.all([slack.stop(), discord.stop(), telegram.stop()]);
});

const settings = () => ({
  DATABASE_URL: database.url,
  TRUNKLINE_MASTER_KEY: Buffer.alloc(32, 3).toString('base64'),
});

const connect = (platform: string, account: SimulatedAccount) =>
  service
    .client()
    .must<Json>(201, 'POST', `/openapi/platforms/${platform}/connections`, { name: 'Mine', ...account });

/** What the doctor finds about the connection to a platform. */
async function findingOf(platform: string): Promise<Finding | undefined> {
  const { PATH = '', HOME = '' } = process.env;
  const environment = { PATH, HOME, DATA_DIR: service.dataDir, ...settings() };
  const { out } = await host.run(['doctor', '--json'], environment);
  const { findings } = JSON.parse(out) as { findings: Finding[] };
  return findings.find(({ check }) => check === `Connection ${platform}`);
}

it.each([
  {
    mistake: 'a Slack app without the scope for messages, once it has to send one',
    platform: 'slack',
    set: async () => {
      slack.scopes.delete('chat:write');
      const { id } = await connect('slack', slack.accountForGateway());
      const chat = slack.chats().find(({ kind }) => kind === 'group')?.id;
      await service.client().must(201, 'POST', '/openapi/conversations', {
        links: [{ connection_id: id, external_id: chat }],
        message: { text: 'Hello' },
      });
    },
    fix: /Add the scopes/,
  },
  {
    mistake: 'a Discord bot without the intent for the content of messages',
    platform: 'discord',
    set: () => connect('discord', discord.account()),
    fix: /Message Content Intent/,
  },
  {
    mistake: 'a Telegram bot whose webhook another program has set',
    platform: 'telegram',
    set: async () => {
      const account = telegram.account();
      await connect('telegram', account);
      const { credentials, settings } = account;
      await eventually(
        () => service.client().must<{ data: Json[] }>(200, 'GET', '/openapi/platforms/connections'),
        ({ data }) => data.some((each) => each.platform === 'telegram' && each.status === 'connected'),
      );
      const url = `${settings.api_base_url}/bot${credentials.bot_token}/setWebhook`;
      await fetch(`${url}?url=${encodeURIComponent('https://elsewhere.example/hook')}`);
    },
    fix: /other program|bot of its own/,
  },
])('The doctor finds $mistake, and says how to correct it', async ({ platform, set, fix }) => {
  await set();
  await expect
    .poll(() => findingOf(platform), { timeout: LIMIT_MS, interval: 1_000 })
    .toMatchObject({ level: expect.stringMatching(/problem|warning/), fix: expect.stringMatching(fix) });
});
