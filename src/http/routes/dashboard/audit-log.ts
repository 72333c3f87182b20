import type { AuditLog } from '../../../core/audit/ports.js';
import { auditList, auditRecord } from '../../../core/audit/record.js';
import { listRoute, type Route } from '../../route.js';
import { managing } from './common.js';

export function auditLogRoutes(log: AuditLog): Route[] {
  return [
    listRoute({
      ...managing,
      path: '/audit-log',
      summary: 'List who changed what',
      response: auditRecord,
      list: auditList,
      handler: ({ caller, list }) => log.list(caller.workspaceId, list),
    }),
  ];
}
