import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { secret } from '../../src/contract/index.js';

/**
 * What @BotFather hands out: the bot's numeric account id, a colon, the secret. Which tokens there are is Telegram's to
 * say, or a self-hosted server's; here it is only a part of every path.
 */
const botToken = z
  .string()
  .trim()
  .max(512)
  .regex(/^[A-Za-z0-9:_-]+$/, 'A bot token looks like 123456789:AAE… and comes from @BotFather.');

/** Characters that setWebhook allows (https://core.telegram.org/bots/api#setwebhook). */
const webhookSecret = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,256}$/, 'Use 1 to 256 letters, digits, underscores and hyphens.');

export const credentials = z.object({
  bot_token: secret(botToken),
  // One is made when none is given: polling needs none, and a switch to webhooks then has one.
  webhook_secret: secret(webhookSecret.default(() => randomBytes(32).toString('base64url'))),
});

export const settings = z.object({});

export type TelegramCredentials = z.infer<typeof credentials>;
/** Telegram needs none of its own. */
export type TelegramSettings = Record<never, never>;
