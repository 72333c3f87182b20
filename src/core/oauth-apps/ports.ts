import type { ListPage, ListQuery } from '../listing/list-spec.js';
import type { ChangeOAuthAppBody, CreateOAuthAppBody } from './bodies.js';
import type { OAuthAppRecord } from './record.js';

/** A client secret as it is stored. */
export interface SecretToStore {
  readonly hash: Buffer;
  readonly hint: string;
}

/** An app to be stored, in the names of the database. */
export interface NewOAuthApp extends CreateOAuthAppBody {
  readonly id: string;
  readonly workspace_id: string;
  readonly created_by: string;
  readonly client_id: string;
}

/** Apps that may act for users of a workspace. Records come without their secret. */
export interface OAuthAppStore {
  list(workspaceId: string, query: ListQuery): Promise<ListPage<OAuthAppRecord>>;
  /** Raises `conflict` (`limit_reached`) beyond `most`. */
  create(app: NewOAuthApp, secret: SecretToStore | undefined, most: number): Promise<OAuthAppRecord>;
  /** Raises `not_found`. */
  change(workspaceId: string, id: string, patch: ChangeOAuthAppBody): Promise<OAuthAppRecord>;
  /** Raises `not_found`, `conflict` (`invalid_state`) for an app without secret. */
  rotateSecret(workspaceId: string, id: string, secret: SecretToStore): Promise<OAuthAppRecord>;
  /** Whether there was such an app. What was granted to it goes with it. */
  delete(workspaceId: string, id: string): Promise<boolean>;
}
