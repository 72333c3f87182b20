import { WebClient } from '@slack/web-api';
import { PlatformError } from '../../../src/contract/index.js';
import type { SocketAccess } from '../ingress/socket-session.js';
import { toPlatformError } from './errors.js';
import { clientOptions, SlackClient } from './transport.js';

/**
 * Asks for the address of a socket and dials nothing: Slack gives it to those who may open one, and an address that is not
 * used costs no socket (docs.slack.dev/reference/methods/apps.connections.open).
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

/** A socket is opened with the app's token alone, so it is not the bot's that Slack refuses. */
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
