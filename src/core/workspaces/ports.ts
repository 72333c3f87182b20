import type { ChangeWorkspaceBody } from './bodies.js';
import type { WorkspaceRecord } from './record.js';

export interface NewOwner {
  readonly email: string;
  readonly passwordHash: string;
  readonly username: string;
  readonly displayName: string;
  readonly operator: boolean;
}

export interface NewApiKey {
  readonly userId: string;
  readonly name: string;
  readonly environment: 'live' | 'test';
  readonly scopes: readonly string[];
  readonly rateLimit: number;
  readonly hash: Buffer;
  readonly hint: string;
}

/** A key for operators, who see all workspaces. */
export interface ListedKey {
  readonly id: string;
  readonly name: string;
  readonly workspace: string;
  readonly email: string | null;
  readonly environment: 'live' | 'test';
  readonly hint: string;
  readonly scopes: readonly string[];
  readonly rateLimit: number;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
}

/** Workspaces, their owners and their keys. */
export interface WorkspaceStore {
  /**
   * Creates the first workspace with its owner and, if given, the owner's key, in one transaction. False if a user already
   * exists.
   */
  bootstrap(name: string, owner: NewOwner, key: NewApiKey | undefined): Promise<boolean>;
  /** Whether any user was ever created. */
  hasUsers(): Promise<boolean>;
  /** Creates another workspace with its test workspace and its owner, who may also be a member of others. */
  create(name: string, owner: NewOwner): Promise<string>;
  find(id: string): Promise<WorkspaceRecord | undefined>;
  /** Raises `not_found`. */
  change(id: string, patch: ChangeWorkspaceBody): Promise<WorkspaceRecord>;
  /** The member with this e-mail address. */
  findMember(email: string): Promise<{ readonly userId: string; readonly workspaceId: string } | undefined>;
  /** The keys of all workspaces, or those of one member's address, newest first. Includes revoked and expired keys. */
  listKeys(email: string | undefined): Promise<readonly ListedKey[]>;
  /** Whether this key is stored and not revoked. `hash` is the SHA-256 of the whole key. */
  hasKey(hash: Buffer): Promise<boolean>;
  /** Enabled webhooks that a key registered. */
  webhooksOfKey(id: string): Promise<readonly { readonly id: string; readonly url: string }[]>;
  /** True if the key existed and was not revoked before. Its webhooks are disabled unless `keepWebhooks` is set. */
  revokeKey(id: string, keepWebhooks: boolean): Promise<boolean>;
  /**
   * Sets the password in every workspace of the address and ends the sessions there. False if no member signs in with the
   * address.
   */
  setPassword(email: string, passwordHash: string): Promise<boolean>;
  /** Turns two-step sign-in off for the accounts of an address. False if none of them has it on. */
  resetSecondStep(email: string): Promise<boolean>;
}
