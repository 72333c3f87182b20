import type { ListPage, ListQuery } from '../listing/list-spec.js';
import type { AuditRecord } from './record.js';

/** The changes with their authors. Each entry is written with its change and never modified. */
export interface AuditLog {
  list(workspaceId: string, query: ListQuery): Promise<ListPage<AuditRecord>>;
}
