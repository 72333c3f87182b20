import { z } from 'zod';
import { secret } from '../../src/contract/index.js';

export const credentials = z.object({
  bot_token: secret(
    z
      .string()
      .trim()
      .min(1)
      .max(512)
      .describe(
        'Token of the bot: Developer Portal, your application, Bot, Reset Token. Turn on the Message Content intent there.',
      ),
  ),
  // An Ed25519 key, which verifies posted interactions.
  public_key: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, 'The public key is 64 hexadecimal digits.')
    .describe(
      'Public key of the application (Developer Portal, General Information); needed for buttons that people press.',
    )
    .optional(),
});
/** Discord has no settings of its own. */
export const settings: z.ZodType<DiscordSettings> = z.object({});

export type DiscordCredentials = z.infer<typeof credentials>;
export type DiscordSettings = object;
