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
  // 50 requests per second and bot (https://docs.discord.com/developers/topics/rate-limits#global-rate-limit). Headers
  // state the limits of a channel; the observed value is five creates in five seconds.
  rate: { per_second: 50, per_chat_per_second: 1 },
  async create(config, host) {
    const { DiscordAdapter } = await import('./adapter.js');
    return new DiscordAdapter(config, host);
  },
});
