import { CONTRACT_VERSION, defineAdapter } from '../../src/contract/index.js';
import { discordCapabilities } from './capabilities.js';
import { credentials, type DiscordCredentials, type DiscordSettings, settings } from './config.js';

/** Discord bots through REST v10 and the gateway. */
export const discordDefinition = defineAdapter<DiscordCredentials, DiscordSettings>({
  contractVersion: CONTRACT_VERSION,
  platform: 'discord',
  displayName: 'Discord',
  version: '1.0.0',
  ingress: ['gateway'],
  defaultApiBaseUrl: 'https://discord.com/api',
  credentials,
  settings,
  lookup: true,
  capabilities: discordCapabilities,
  // 50 requests a second per bot (https://docs.discord.com/developers/topics/rate-limits#global-rate-limit);
  // channel buckets are told by headers, five creates in five seconds is what they are found to be.
  rate: { per_second: 50, per_chat_per_second: 1 },
  async create(config, host) {
    const { DiscordAdapter } = await import('./adapter.js');
    return new DiscordAdapter(config, host);
  },
});
