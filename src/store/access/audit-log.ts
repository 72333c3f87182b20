import type { Pool } from 'pg';
import type { AuditLog } from '../../core/audit/ports.js';
import { type AuditRecord, auditList } from '../../core/audit/record.js';
import type { ListPage, ListQuery } from '../../core/listing/list-spec.js';
import { auditRecordSql } from '../calls.gen.js';
import { type ListSource, listRecords } from '../listing/list-records.js';

const source: ListSource = {
  table: 'audit_log',
  record: auditRecordSql('audit_log'),
  fields: {
    id: 'id',
    created_at: 'created_at',
    actor_id: 'actor_id',
    actor_type: 'actor_type',
    action: 'action',
  },
};

/** The audit log in PostgreSQL. */
export class PostgresAuditLog implements AuditLog {
  constructor(private readonly pool: Pool) {}

  list(workspaceId: string, query: ListQuery): Promise<ListPage<AuditRecord>> {
    return listRecords(this.pool, source, auditList, workspaceId, query);
  }
}
