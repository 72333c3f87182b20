import { z } from 'zod';
import { secret } from '../../src/contract/index.js';

export const credentials = z.object({
  bot_token: secret(z.string().trim().min(1).max(512)),
  /** The application's Ed25519 public key, which verifies posted interactions. */
  public_key: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, 'The public key is 64 hexadecimal digits.')
    .optional(),
});
/** Discord has no settings of its own. */
export const settings: z.ZodType<DiscordSettings> = z.object({});

export type DiscordCredentials = z.infer<typeof credentials>;
export type DiscordSettings = object;
