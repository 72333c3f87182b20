import type { ListPage, ListQuery } from '../listing/list-spec.js';
import type { ChangeOAuthAppBody, CreateOAuthAppBody } from './bodies.js';
import type { OAuthAppRecord } from './record.js';

/** A client secret in its stored form. */
export interface SecretToStore {
  readonly hash: Buffer;
  readonly hint: string;
}

/** An app to store, with the field names of the database. */
export interface NewOAuthApp extends CreateOAuthAppBody {
  readonly id: string;
  readonly workspace_id: string;
  readonly created_by: string;
  readonly client_id: string;
}

/** Apps that may act for users of a workspace. Records do not contain the secret. */
export interface OAuthAppStore {
  list(workspaceId: string, query: ListQuery): Promise<ListPage<OAuthAppRecord>>;
  /** Raises `conflict` (`limit_reached`) if the workspace already has `maxApps` apps. */
  create(app: NewOAuthApp, secret: SecretToStore | undefined, maxApps: number): Promise<OAuthAppRecord>;
  /** Raises `not_found`. */
  change(workspaceId: string, id: string, patch: ChangeOAuthAppBody): Promise<OAuthAppRecord>;
  /** Raises `not_found`, `conflict` (`invalid_state`) for an app without secret. */
  rotateSecret(workspaceId: string, id: string, secret: SecretToStore): Promise<OAuthAppRecord>;
  /** Deletes an app and its grants. False if there is no such app. */
  delete(workspaceId: string, id: string): Promise<boolean>;
}
