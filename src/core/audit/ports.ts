import type { ListPage, ListQuery } from '../listing/list-spec.js';
import type { AuditRecord } from './record.js';

/** The log of changes and their authors. Each entry is written together with its change and never modified. */
export interface AuditLog {
  list(workspaceId: string, query: ListQuery): Promise<ListPage<AuditRecord>>;
}
