import type { AuditRecord } from '../audit/record.js';
import type { ListPage, ListQuery } from '../listing/list-spec.js';

/** The changes with their authors. Each entry is written with its change and never modified. */
export interface AuditLog {
  list(workspaceId: string, query: ListQuery): Promise<ListPage<AuditRecord>>;
}
