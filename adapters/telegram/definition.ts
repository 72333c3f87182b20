import { CONTRACT_VERSION, defineAdapter } from '../../src/contract/index.js';
import { telegramCapabilities } from './capabilities.js';
import { credentials, settings, type TelegramCredentials, type TelegramSettings } from './config.js';

/** Telegram through the Bot API, by long polling or webhook. */
export const telegramDefinition = defineAdapter<TelegramCredentials, TelegramSettings>({
  contractVersion: CONTRACT_VERSION,
  platform: 'telegram',
  displayName: 'Telegram',
  version: '1.0.0',
  ingress: ['poll', 'webhook'],
  defaultApiBaseUrl: 'https://api.telegram.org',
  credentials,
  settings,
  lookup: false,
  capabilities: telegramCapabilities,
  // https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this
  addressForm: '^(-?[0-9]{1,20}|@[A-Za-z0-9_]{4,64})$',
  // https://core.telegram.org/bots/api#inlinekeyboardbutton. A row has up to eight.
  buttons: { max: 8, label_max: 64, value_max_bytes: 64 },
  rate: { per_second: 30, per_chat_per_second: 1, burst: 10 },
  create: async (config, host) => {
    const { TelegramAdapter } = await import('./adapter.js');
    return new TelegramAdapter(config, host, telegramCapabilities);
  },
});
