import type { DeliveryTask } from '../task.js';
import { STEP_LIMIT_MS } from './call-with-timeout.js';

/** The lowest bandwidth assumed for uploads: 256 KiB per second. */
const MIN_BYTES_PER_MS = (256 * 1024) / 1000;
/** Maximum time for uploads of any size. */
const MAX_UPLOAD_MS = 600_000;
/** A write whose files take longer at the lowest bandwidth is large. Few large writes run at once. */
const SHORT_UPLOAD_MS = 4_000;

/** The time limit of one write in milliseconds: that of any write, plus the upload of its files at the lowest bandwidth. */
export function writeLimitMs(task: DeliveryTask): number {
  return STEP_LIMIT_MS + uploadMs(task);
}

/** Whether the task has files that make it a large write. */
export function isLarge(task: DeliveryTask): boolean {
  return uploadMs(task) > SHORT_UPLOAD_MS;
}

/** Upload time at the lowest bandwidth. For platforms that fetch files by URL it is an upper bound. */
function uploadMs({ message, operation }: DeliveryTask): number {
  if (operation !== 'send' && operation !== 'edit') return 0;
  const bytes = message.attachments.reduce((sum, { size }) => sum + (size ?? 0), 0);
  return Math.min(MAX_UPLOAD_MS, Math.ceil(bytes / MIN_BYTES_PER_MS));
}
