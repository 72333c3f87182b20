import type { buildServer } from '../../http/server.js';

/**
 * A client that receives the response to ending a key or token finds it ended: the response waits until this process has evicted
 * it from its memory. Other processes evict it within moments.
 */
export function awaitCredentialEviction(
  server: ReturnType<typeof buildServer>,
  notifications: { heard(): Promise<void> },
): void {
  server.addHook('onSend', async (request) => {
    if (request.routeOptions.config.endsCredentials) await notifications.heard();
  });
}
