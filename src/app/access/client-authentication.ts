import type { Container } from 'inversify';
import { LastUsed } from '../../core/access/last-used.js';
import { AccessTokenAuthenticator } from '../../core/authentication/access-token-authenticator.js';
import { ApiKeyAuthenticator } from '../../core/authentication/api-key-authenticator.js';
import { type Authenticate, authenticateClient } from '../../core/authentication/authenticate.js';
import type { Log } from '../../core/common/log.js';
import * as ports from '../../core/modules/tokens.js';
import type { Notifications } from '../../store/connection/notifications.js';

export interface ClientAuthenticationOptions {
  readonly container: Container;
  readonly log: Log;
  readonly notifications: Notifications;
}

export interface ClientAuthentication {
  readonly authenticate: Authenticate;
  /** Writes the remaining last-used times of keys to the database. */
  stop(): Promise<void>;
}

/**
 * Creates the authentication of REST clients. Cached credentials are evicted when any process announces that a key or token has
 * ended.
 */
export async function clientAuthentication({
  container,
  log,
  notifications,
}: ClientAuthenticationOptions): Promise<ClientAuthentication> {
  const lookup = container.get(ports.ApiKeyLookup);
  const listening = () => notifications.listening;
  const lastUsed = new LastUsed(lookup, log);
  const keys = new ApiKeyAuthenticator(lookup, lastUsed, { listening });
  const tokens = new AccessTokenAuthenticator(container.get(ports.AccessTokenLookup), { listening });
  for (const remembered of [keys, tokens]) {
    await notifications.listen('credentials', (id) => remembered.evict(id));
    notifications.onReconnect(() => remembered.evictAll());
  }
  const authenticate = authenticateClient(
    (key, from, onRefused) => keys.authenticate(key, from, onRefused),
    (token) => tokens.authenticate(token),
  );
  return { authenticate, stop: () => lastUsed.flush() };
}
