import { App, type Receiver } from '@slack/bolt';
import type { AdapterHost } from '../../../src/contract/index.js';
import type { SlackConfig } from '../config.js';
import type { Scopes } from './scopes.js';
import { clientOptions, sdkLogger } from './transport.js';

/**
 * Creates the Bolt application of one connection. It reads no environment, makes no request and keeps no conversation
 * state.
 */
export function createBolt(
  { credentials, settings }: SlackConfig,
  receiver: Receiver,
  host: AdapterHost,
  scopes: Scopes,
): App {
  const token = credentials.bot_token;
  return new App({
    receiver,
    // Without `authorize`, Bolt would call auth.test on its first event.
    authorize: async () => ({ botToken: token }),
    clientOptions: {
      ...clientOptions(settings.api_base_url, host, scopes),
      headers: { Authorization: `Bearer ${token}` },
    },
    logger: sdkLogger(host),
    ignoreSelf: false,
    convoStore: false,
  });
}

export interface Listeners {
  /** Called when a person or channel was renamed. */
  readonly renamed: (id: string) => void;
}

/** Subscribes to the events that the connection itself needs. */
export function listen(app: App, host: AdapterHost, { renamed }: Listeners): void {
  app.event('app_uninstalled', async () => reportLoss(host, 'The app was removed from the Slack workspace.'));
  app.event('tokens_revoked', async ({ event }) => {
    if ((event.tokens.bot ?? []).length > 0) reportLoss(host, 'The bot token was revoked in Slack.');
  });
  app.event('user_change', async ({ event }) => renamed(event.user.id));
  app.event('channel_rename', async ({ event }) => renamed(event.channel.id));
}

function reportLoss(host: AdapterHost, message: string): void {
  host.health({
    code: 'bad_credentials',
    message,
    fix: 'Install the app in the workspace again and enter its current bot token.',
  });
}
