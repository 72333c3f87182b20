import type { SimulatorName } from '../../../adapters/simulators.js';

type Account = Readonly<Record<string, string>>;

/** How the usual client library of a platform is pointed to the simulator. */
export const pointing: Readonly<Record<SimulatorName, (account: Account) => string>> = {
  telegram: ({ bot_token, api_base_url }) => `grammY:

  import { Bot } from 'grammy';
  const bot = new Bot('${bot_token}', { client: { apiRoot: '${api_base_url}' } });`,
  discord: ({ bot_token, api_base_url }) => `discord.js:

  import { Client, GatewayIntentBits } from 'discord.js';
  const client = new Client({ intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages,
    GatewayIntentBits.MessageContent], rest: { api: '${api_base_url}' } });
  await client.login('${bot_token}');`,
  slack: ({ bot_token, signing_secret, app_token, api_base_url }) => `Bolt, by Socket Mode:

  import { App } from '@slack/bolt';
  const app = new App({ token: '${bot_token}', appToken: '${app_token}', socketMode: true,
    clientOptions: { slackApiUrl: '${api_base_url}/' } });

  or by HTTP:

  import { App } from '@slack/bolt';
  const app = new App({ token: '${bot_token}', signingSecret: '${signing_secret}',
    clientOptions: { slackApiUrl: '${api_base_url}/' } });

  and say where its events go: PUT <control>/webhook with {"url":"http://localhost:3000/slack/events"}`,
  twilio: ({
    account_sid,
    auth_token,
    api_base_url,
  }) => `twilio, whose addresses are led elsewhere by its request client:

  import twilio, { RequestClient } from 'twilio';
  class Local extends RequestClient {
    request(options) {
      const { pathname, search } = new URL(options.uri);
      return super.request({ ...options, uri: '${api_base_url}' + pathname + search });
    }
  }
  const client = twilio('${account_sid}', '${auth_token}', { httpClient: new Local() });

  and say where its webhooks go: PUT <control>/webhook with {"url":"http://localhost:3000/sms"}`,
};
