import type { ListPage, ListQuery } from '../listing/list-spec.js';
import type { ChangeApiKeyBody } from './bodies.js';
import type { ApiKeyShown, KeyUsage } from './record.js';

/** A key to be stored, in the names of the database. */
export interface KeyToStore {
  readonly id: string;
  /** The live workspace. A test key acts in the test workspace that belongs to it. */
  readonly workspace_id: string;
  readonly user_id: string;
  readonly name: string;
  readonly environment: 'live' | 'test';
  readonly scopes: readonly string[];
  readonly rate_limit: number;
  readonly ip_allowlist: readonly string[];
  readonly expires_at: string | null;
  readonly conversation_ids?: readonly string[] | undefined;
  readonly hash: Buffer;
  readonly hint: string;
}

/** Keys of a live workspace and of its test workspace, as managed by owners and admins. */
export interface ApiKeyStore {
  list(workspaceId: string, query: ListQuery): Promise<ListPage<ApiKeyShown>>;
  /** Usage of keys that have a limit and are not revoked. */
  usage(workspaceId: string): Promise<readonly KeyUsage[]>;
  /** Raises `not_found` and `conflict` (`invalid_state`) about its user, and `conflict` (`limit_reached`) above `maxKeys`. */
  create(key: KeyToStore, maxKeys: number): Promise<ApiKeyShown>;
  /** Raises `not_found`, and `conflict` (`invalid_state`) for a revoked key. */
  change(workspaceId: string, id: string, patch: ChangeApiKeyBody): Promise<ApiKeyShown>;
  /**
   * Resolves with whether the key existed and was not revoked yet. Webhooks that it registered are disabled, unless
   * `keepWebhooks` is set.
   */
  revoke(workspaceId: string, id: string, keepWebhooks: boolean): Promise<boolean>;
  /** Disables the webhooks of keys that have expired since the last call. */
  endExpired(): Promise<void>;
}
