import type { ChangeWorkspaceBody } from '../workspaces/bodies.js';
import type { WorkspaceRecord } from '../workspaces/record.js';

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

/** Workspaces, their owners and their keys. */
export interface WorkspaceStore {
  /** The first workspace with its owner, and their key if given, in one transaction. False when a user exists already. */
  bootstrap(name: string, owner: NewOwner, key: NewApiKey | undefined): Promise<boolean>;
  /** Whether anybody was ever made. */
  hasUsers(): Promise<boolean>;
  /** A further workspace with its test workspace and its owner, who may be a member of others too. */
  create(name: string, owner: NewOwner): Promise<string>;
  find(id: string): Promise<WorkspaceRecord | undefined>;
  /** Raises `not_found`. */
  change(id: string, patch: ChangeWorkspaceBody): Promise<WorkspaceRecord>;
  /** The member with this e-mail address. */
  findMember(email: string): Promise<{ readonly userId: string; readonly workspaceId: string } | undefined>;
  /** True when the key existed and was not revoked yet. */
  revokeKey(id: string): Promise<boolean>;
  /** Sets it in every workspace of the address and ends the sessions there. False when nobody signs in with it. */
  setPassword(email: string, passwordHash: string): Promise<boolean>;
}
