import type { ListPage, ListQuery } from '../listing/list-spec.js';
import type { LoggedRequest } from './record.js';

/** A request that was answered, in the names of the database. It has no query, header or body. */
export interface RequestEntry {
  readonly id: string;
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly duration_ms: number;
  readonly request_id: string;
  /** The workspace of the caller; null for a key that was refused. */
  readonly workspace_id: string | null;
  /** The key, or the app: one of them. */
  readonly key_id: string | null;
  readonly app_id: string | null;
}

/** The requests of the last 24 hours. */
export interface RequestLogStore {
  /** Requests of unknown keys and workspaces are left out. */
  append(requests: readonly RequestEntry[]): Promise<void>;
  /** Requests of the workspace and its test workspace, narrowed to paths that begin with `pathPrefix`. */
  list(
    workspaceId: string,
    query: ListQuery,
    pathPrefix: string | undefined,
  ): Promise<ListPage<LoggedRequest>>;
}
