import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { secret } from '../../src/contract/index.js';

/**
 * The bot token: the bot's numeric account id, a colon and the secret. Only Telegram or a self-hosted server knows
 * which tokens are valid. Here the token is a part of every path.
 */
const botToken = z
  .string()
  .trim()
  .max(512)
  .regex(/^[A-Za-z0-9:_-]+$/, 'A bot token looks like 123456789:AAE… and comes from @BotFather.')
  .describe('Token of the bot. @BotFather shows it after /newbot, or after /token for an existing bot.');

/** Characters that setWebhook allows (https://core.telegram.org/bots/api#setwebhook). */
const webhookSecret = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,256}$/, 'Use 1 to 256 letters, digits, underscores and hyphens.');

export const credentials = z.object({
  bot_token: secret(botToken),
  // Polling does not need it, but a later switch to webhooks does.
  webhook_secret: secret(
    webhookSecret
      .default(() => randomBytes(32).toString('base64url'))
      .describe('Secret that Telegram sends with each webhook. Leave it empty to have one generated.'),
  ),
});

export const settings = z.object({});

export type TelegramCredentials = z.infer<typeof credentials>;
/** Telegram has no settings of its own. */
export type TelegramSettings = Record<never, never>;
