import { z } from 'zod';
import { type ConnectionConfig, secret } from '../../src/contract/index.js';

/** Credentials of a Slack connection. */
export const slackCredentials = z.object({
  bot_token: secret(
    z
      .string()
      .regex(/^(?!xox[^b]|xapp-)\S+$/, 'A bot token starts with xoxb-.')
      .describe('Bot User OAuth Token, which starts with xoxb-: your app, OAuth & Permissions.'),
  ),
  signing_secret: secret(
    z
      .string()
      .min(1)
      .optional()
      .describe('Signing Secret: your app, Basic Information. Needed when events come by webhook.'),
  ),
  app_token: secret(
    z
      .string()
      .regex(/^(?!xox)\S+$/, 'An app-level token starts with xapp-.')
      .optional()
      .describe(
        'App-level token with the scope connections:write, which starts with xapp-: your app, Basic Information. Needed when events come by gateway (Socket Mode).',
      ),
  ),
});

export const slackSettings = z.object({});

export type SlackCredentials = z.infer<typeof slackCredentials>;
export type SlackConfig = ConnectionConfig<SlackCredentials, object>;
