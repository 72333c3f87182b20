import type { ConformanceKit } from '../../../src/testing/index.js';
import { discordKits } from './discord.js';
import { sandboxKits } from './sandbox.js';
import { slackKits } from './slack.js';
import { smsKits } from './sms.js';
import { telegramKits } from './telegram.js';

/** The kits of the bundled adapters, one for each kind of ingress. */
export const bundledKits: readonly ConformanceKit[] = [
  ...telegramKits,
  ...discordKits,
  ...slackKits,
  ...smsKits,
  ...sandboxKits,
];
