import { WebClient } from '@slack/web-api';
import { PlatformError } from '../../../src/contract/index.js';
import type { SocketAccess } from '../ingress/socket-session.js';
import { toPlatformError } from './errors.js';
import { clientOptions, SlackClient } from './transport.js';

/**
 * Checks the app token by requesting a socket address without dialling it. Slack refuses the request if the token may
 * not open sockets. An unused address costs no socket (docs.slack.dev/reference/methods/apps.connections.open).
 */
export async function checkAppToken({ appToken, apiBaseUrl, host }: SocketAccess): Promise<void> {
  const headers = { Authorization: `Bearer ${appToken}` };
  const client = new SlackClient(new WebClient(undefined, { ...clientOptions(apiBaseUrl, host), headers }));
  try {
    const { url } = await client.read((web) => web.apps.connections.open({}));
    if (url !== undefined) await host.assertTarget(url);
  } catch (error) {
    throw ofAppToken(error);
  }
}

/** Attributes a refusal to the app token, because a socket does not use the bot token. */
export function ofAppToken(cause: unknown): PlatformError {
  const error =
    cause instanceof PlatformError ? cause : toPlatformError(cause, { writes: false, rateScope: 'method' });
  const { problem, dispatched, code } = error;
  if (problem.kind !== 'unauthorized' && code !== 'missing_scope') return error;
  return new PlatformError(problem, {
    dispatched,
    message: 'Slack does not accept the app-level token.',
    fix: 'Generate an app-level token (xapp-) with the scope connections:write and enter it as app_token.',
    ...(code === undefined ? {} : { code }),
  });
}
