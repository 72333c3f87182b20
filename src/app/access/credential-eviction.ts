import type { buildServer } from '../../http/server.js';

/**
 * A client that learns of the end of a key or token finds it ended: the answer waits until this process has forgotten what it
 * remembered of it. Others hear of it within moments.
 */
export function awaitCredentialEviction(
  server: ReturnType<typeof buildServer>,
  notifications: { heard(): Promise<void> },
): void {
  server.addHook('onSend', async (request) => {
    if (request.routeOptions.config.endsCredentials) await notifications.heard();
  });
}
