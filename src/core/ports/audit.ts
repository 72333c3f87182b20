import type { AuditRecord } from '../audit/record.js';
import type { ListPage, ListQuery } from '../listing/list-spec.js';

/** Who changed what. Each entry is written with its change; nobody changes one afterwards. */
export interface AuditLog {
  list(workspaceId: string, query: ListQuery): Promise<ListPage<AuditRecord>>;
}
