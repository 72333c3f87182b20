import type { buildServer } from '../../http/server.js';

/** Where keys, tokens and the people they act for are changed, apart from their use. */
const MANAGED =
  /^\/(?:oauth\/(?:token|revoke)|dashboard\/api\/(?:keys|members|oauth-apps|oauth\/grants))(?=[/?]|$)/;

/**
 * A client that learns of the end of a key or token finds it ended: the answer waits until this process has forgotten what it
 * remembered of it. Others hear of it within moments.
 */
export function awaitCredentialEviction(
  server: ReturnType<typeof buildServer>,
  notifications: { heard(): Promise<void> },
): void {
  server.addHook('onSend', async (request) => {
    if (request.method !== 'GET' && MANAGED.test(request.url)) await notifications.heard();
  });
}
