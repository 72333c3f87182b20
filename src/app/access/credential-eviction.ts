import type { buildServer } from '../../http/server.js';

/**
 * Delays the response to a request that ends a key or token until this process has evicted the credential from memory. A client
 * that has the response can rely on it. Other processes evict the credential shortly afterwards.
 */
export function awaitCredentialEviction(
  server: ReturnType<typeof buildServer>,
  notifications: { heard(): Promise<void> },
): void {
  server.addHook('onSend', async (request) => {
    if (request.routeOptions.config.endsCredentials) await notifications.heard();
  });
}
