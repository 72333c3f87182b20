import type { ListPage, ListQuery } from '../listing/list-spec.js';
import type { LoggedRequest } from './record.js';

/** A completed request, with the field names of the database. It has no query, headers or body. */
export interface RequestEntry {
  readonly id: string;
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly duration_ms: number;
  readonly request_id: string;
  /** The workspace of the caller. Null for a refused key. */
  readonly workspace_id: string | null;
  /** Either the key or the app is set. */
  readonly key_id: string | null;
  readonly app_id: string | null;
}

/** The requests of the last 24 hours. */
export interface RequestLogStore {
  /** Skips requests of unknown keys and workspaces. */
  append(requests: readonly RequestEntry[]): Promise<void>;
  /** Requests of the workspace and its test workspace. With `pathPrefix`, only paths that begin with it. */
  list(
    workspaceId: string,
    query: ListQuery,
    pathPrefix: string | undefined,
  ): Promise<ListPage<LoggedRequest>>;
}
