import { createHmac } from 'node:crypto';
import type { IceServers } from './record.js';

/** STUN and TURN servers available to participants. */
export interface IceConfiguration {
  readonly stunUrls: readonly string[];
  readonly turnUrls: readonly string[];
  /** Secret shared with the TURN servers. Set if there are any. */
  readonly turnSecret: string | undefined;
}

const LIFETIME_SECONDS = 600;

/**
 * The servers with credentials for one user, in the form that RTCPeerConnection expects.
 *
 * TURN credentials follow draft-uberti-behave-turn-rest. The user name contains the expiry time and the user. The
 * password is the HMAC-SHA1 of the user name under the shared secret (coturn: `use-auth-secret`).
 */
export function iceServers(configuration: IceConfiguration, userId: string, now: number): IceServers {
  const { stunUrls, turnUrls, turnSecret } = configuration;
  const stun = stunUrls.length === 0 ? [] : [{ urls: [...stunUrls] }];
  if (turnSecret === undefined || turnUrls.length === 0) return { ice_servers: stun, expires_at: null };
  const expires = Math.floor(now / 1_000) + LIFETIME_SECONDS;
  const username = `${expires}:${userId}`;
  const credential = createHmac('sha1', turnSecret).update(username).digest('base64');
  return {
    ice_servers: [...stun, { urls: [...turnUrls], username, credential }],
    expires_at: new Date(expires * 1_000).toISOString(),
  };
}
