import type { OAuthScope } from './scopes.js';

/** What is known of an access token that holds: enough to decide whether a request may pass. */
export interface AccessTokenRecord {
  readonly id: string;
  readonly appId: string;
  readonly workspaceId: string;
  readonly environment: 'live' | 'test';
  readonly userId: string;
  readonly role: string | null;
  /** Null, unless the user sees only the conversations of their teams. Changes with the members of those. */
  readonly view: string | null;
  /** Granted, and still among the app's. */
  readonly scopes: readonly OAuthScope[];
  readonly expiresAt: Date;
}

export interface AccessTokenLookup {
  /** Undefined for a token that is unknown or revoked, or whose user is not active. */
  findByHash(hash: Buffer): Promise<AccessTokenRecord | undefined>;
}
