import type { OAuthScope } from '../access/scopes.js';
import type { ListPage, ListQuery } from '../listing/list-spec.js';
import type { AppGrantRecord, GrantRecord } from './record.js';

/** An app that may ask users for grants. Confidential ones prove with a secret who they are. */
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

/** Apps as their own requests find them. */
export interface OAuthClients {
  /** In any workspace: the client id alone says which app asks. */
  findByClientId(clientId: string): Promise<OAuthApp | undefined>;
}

/** An approval to be stored, with the hash of the code that answers it. */
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

/** Approvals of apps by users. A grant ends by time, by its user, or when one of its codes or tokens is used twice. */
export interface OAuthGrants {
  approve(grant: NewGrant): Promise<void>;
  /** Those of a user that are alive. */
  list(workspaceId: string, userId: string, query: ListQuery): Promise<ListPage<GrantRecord>>;
  /** Those of an app that are alive. Raises `not_found` for an app that is not of the workspace. */
  listOfApp(workspaceId: string, appId: string, query: ListQuery): Promise<ListPage<AppGrantRecord>>;
  /** Ends a grant with all its tokens. Raises `not_found` unless it is of the workspace and alive. */
  revokeIn(workspaceId: string, id: string): Promise<void>;
  /** Ends a grant with all its tokens. Raises `not_found` unless it is the user's and alive. */
  revokeOwn(workspaceId: string, userId: string, id: string): Promise<void>;
  /** Ends a grant with all its tokens, in every process. Nothing happens to one that was ended before. */
  revoke(id: string): Promise<void>;
}

/** What is known of a code or a refresh token before it is used. */
export interface Redeemable {
  readonly grantId: string;
  readonly clientId: string;
  readonly userId: string;
  readonly scopes: readonly OAuthScope[];
  readonly expiresAt: Date;
  /** It was used before: the grant has to end. */
  readonly used: boolean;
}

export interface StoredCode extends Redeemable {
  readonly redirectUri: string;
  readonly codeChallenge: string;
}

/** Hashes of a pair of tokens to be issued. */
export interface TokenHashes {
  readonly access: Buffer;
  readonly refresh: Buffer;
}

/** What an app learns about one of its tokens. */
export interface TokenState {
  readonly kind: 'access' | 'refresh';
  readonly scopes: readonly OAuthScope[];
  readonly userId: string;
  readonly expiresAt: Date;
  readonly issuedAt: Date;
}

/** Codes and tokens, by the SHA-256 of the whole of them. */
export interface OAuthTokens {
  findCode(hash: Buffer): Promise<StoredCode | undefined>;
  /** Exchanges a code for tokens in one transaction. Of parallel uses one resolves with true; any other ends the grant. */
  redeemCode(hash: Buffer, appId: string, issued: TokenHashes): Promise<boolean>;
  findRefreshToken(hash: Buffer): Promise<Redeemable | undefined>;
  /** Puts new tokens in the place of a refresh token, as {@link redeemCode} does; `scopes` are the access token's. */
  rotate(hash: Buffer, appId: string, scopes: readonly OAuthScope[], issued: TokenHashes): Promise<boolean>;
  /** A token of this app that still holds. */
  describe(hash: Buffer, appId: string): Promise<TokenState | undefined>;
  /** Ends an access token, or with a refresh token its grant. Nothing happens to a token of another app. */
  revoke(hash: Buffer, appId: string): Promise<void>;
  /** Removes a batch of what ended long ago. */
  purge(): Promise<void>;
}
