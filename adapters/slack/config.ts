import { z } from 'zod';
import { type ConnectionConfig, secret } from '../../src/contract/index.js';

/** Credentials of a Slack connection. */
export const slackCredentials = z.object({
  bot_token: secret(
    z
      .string()
      .regex(/^(?!xox[^b]|xapp-)\S+$/, 'A bot token starts with xoxb-.')
      .describe('Bot User OAuth Token (xoxb-…)'),
  ),
  signing_secret: secret(
    z.string().min(1).optional().describe('Signing Secret of the app; needed for ingress webhook'),
  ),
  app_token: secret(
    z
      .string()
      .regex(/^(?!xox)\S+$/, 'An app-level token starts with xapp-.')
      .optional()
      .describe('App-level token with connections:write (xapp-…); needed for ingress gateway'),
  ),
});

export const slackSettings = z.object({});

export type SlackCredentials = z.infer<typeof slackCredentials>;
export type SlackConfig = ConnectionConfig<SlackCredentials, object>;
