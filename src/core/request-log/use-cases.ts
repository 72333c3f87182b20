import type { Caller } from '../access/caller.js';
import type { ListPage, ListQuery } from '../listing/list-spec.js';
import type { RequestLogStore } from './ports.js';
import type { LoggedRequest } from './record.js';

/** What owners and admins see of the requests of their programs. */
export class ReadRequests {
  constructor(private readonly store: RequestLogStore) {}

  /** Requests of the workspace and its test workspace, narrowed to paths that begin with `pathPrefix`. */
  list(caller: Caller, query: ListQuery, pathPrefix: string | undefined): Promise<ListPage<LoggedRequest>> {
    return this.store.list(caller.workspaceId, query, pathPrefix);
  }
}
