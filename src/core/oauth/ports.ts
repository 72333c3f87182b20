import type { OAuthScope } from '../access/scopes.js';
import type { ListPage, ListQuery } from '../listing/list-spec.js';
import type { AppGrantRecord, GrantRecord } from './record.js';

/** An app that may ask users for grants. A confidential app authenticates with a secret. */
export interface OAuthApp {
  readonly id: string;
  readonly workspaceId: string;
  readonly clientId: string;
  readonly name: string;
  /** Display name of the user who registered it. */
  readonly owner: string;
  readonly workspaceName: string;
  readonly type: 'public' | 'confidential';
  readonly redirectUris: readonly string[];
  readonly scopes: readonly OAuthScope[];
  /** SHA-256 of the secret; null for public apps. */
  readonly secretHash: Buffer | null;
}

/** Lookup of apps for their own requests. */
export interface OAuthClients {
  /** Searches all workspaces, because only the client id identifies the app. */
  findByClientId(clientId: string): Promise<OAuthApp | undefined>;
}

/** An approval to store, with the hash of the authorization code. */
export interface NewGrant {
  readonly id: string;
  readonly workspaceId: string;
  readonly appId: string;
  readonly userId: string;
  readonly scopes: readonly OAuthScope[];
  readonly codeHash: Buffer;
  readonly redirectUri: string;
  readonly codeChallenge: string;
}

/**
 * Approvals of apps by users. A grant ends when it expires, when it is revoked, or when one of its codes or tokens is used twice.
 */
export interface OAuthGrants {
  approve(grant: NewGrant): Promise<void>;
  /** Active grants of a user. */
  list(workspaceId: string, userId: string, query: ListQuery): Promise<ListPage<GrantRecord>>;
  /** Active grants of an app. Raises `not_found` for an app of another workspace. */
  listOfApp(workspaceId: string, appId: string, query: ListQuery): Promise<ListPage<AppGrantRecord>>;
  /** Ends a grant with all its tokens. Raises `not_found` unless it is active and belongs to the workspace. */
  revokeIn(workspaceId: string, id: string): Promise<void>;
  /** Ends a grant with all its tokens. Raises `not_found` unless it is active and belongs to the user. */
  revokeOwn(workspaceId: string, userId: string, id: string): Promise<void>;
  /** Ends a grant with all its tokens, in every process. Has no effect on a grant that has already ended. */
  revoke(id: string): Promise<void>;
}

/** The state of a code or refresh token before its use. */
export interface Redeemable {
  readonly grantId: string;
  readonly clientId: string;
  readonly userId: string;
  readonly scopes: readonly OAuthScope[];
  readonly expiresAt: Date;
  /** It was already used, so the grant must end. */
  readonly used: boolean;
}

export interface StoredCode extends Redeemable {
  readonly redirectUri: string;
  readonly codeChallenge: string;
}

/** Hashes of a new pair of tokens. */
export interface TokenHashes {
  readonly access: Buffer;
  readonly refresh: Buffer;
}

/** The state of a token for its app. */
export interface TokenState {
  readonly kind: 'access' | 'refresh';
  readonly scopes: readonly OAuthScope[];
  readonly userId: string;
  readonly expiresAt: Date;
  readonly issuedAt: Date;
}

/** Codes and tokens, by the SHA-256 of their full text. */
export interface OAuthTokens {
  findCode(hash: Buffer): Promise<StoredCode | undefined>;
  /** Exchanges a code for tokens in one transaction. Of concurrent uses, one resolves with true. Any other use ends the grant. */
  redeemCode(hash: Buffer, appId: string, issued: TokenHashes): Promise<boolean>;
  findRefreshToken(hash: Buffer): Promise<Redeemable | undefined>;
  /** Replaces a refresh token by new tokens, as {@link redeemCode} does. `scopes` are those of the access token. */
  rotate(hash: Buffer, appId: string, scopes: readonly OAuthScope[], issued: TokenHashes): Promise<boolean>;
  /** A valid token of this app. */
  describe(hash: Buffer, appId: string): Promise<TokenState | undefined>;
  /** Ends an access token, or the grant of a refresh token. Has no effect on a token of another app. */
  revoke(hash: Buffer, appId: string): Promise<void>;
  /** Deletes a batch of records that ended long ago. */
  purge(): Promise<void>;
}
