import type { OAuthScope } from './scopes.js';

/** The data of a valid access token: enough to decide whether a request is allowed. */
export interface AccessTokenRecord {
  readonly id: string;
  readonly appId: string;
  readonly workspaceId: string;
  readonly environment: 'live' | 'test';
  readonly userId: string;
  readonly role: string | null;
  /**
   * Version of the user's view; changes when the members of their teams change. Null unless the user sees only the
   * conversations of their teams.
   */
  readonly view: string | null;
  /** Scopes that were granted and that the app still has. */
  readonly scopes: readonly OAuthScope[];
  readonly expiresAt: Date;
}

export interface AccessTokenLookup {
  /** Undefined for a token that is unknown or revoked, or whose user is not active. */
  findByHash(hash: Buffer): Promise<AccessTokenRecord | undefined>;
}
