import type { Pool } from 'pg';
import type { LateWork } from '../../core/workspaces/service-faults.js';
import { reportServiceFault } from '../calls.gen.js';

/** Maximum length of an error's message, because it can contain a query. */
const MAX_MESSAGE = 500;

const LATE: Readonly<Record<LateWork, string>> = {
  queue: 'A job of the queue',
  webhooks: 'A delivery to a webhook',
  deliveries: 'A delivery to a platform',
};

/** Writes an event about late work to the workspaces of operators, at most once in 15 minutes for each kind of work. */
export function reportBacklog(pool: Pool, work: LateWork, seconds: number): Promise<boolean> {
  const message = `${LATE[work]} has waited for ${seconds} seconds.`;
  const data = { work, oldest_seconds: seconds, message };
  return reportServiceFault(pool, { event: 'service.backlog_grown', about: work, data });
}

/** Writes an event about a failed backup to the workspaces of operators, at most once in 15 minutes. */
export function reportFailedBackup(pool: Pool, error: unknown): Promise<boolean> {
  const reason = error instanceof Error ? error.message : String(error);
  const data = { message: `A backup failed: ${reason.slice(0, MAX_MESSAGE)}` };
  return reportServiceFault(pool, { event: 'service.backup_failed', about: 'backup', data });
}
