import type { DeliveryTask } from '../task.js';
import { STEP_LIMIT_MS } from './call-with-timeout.js';

/** A slower line is none that files can be sent on: 256 KiB a second. */
const SLOWEST_BYTES_PER_MS = (256 * 1024) / 1000;
/** Nothing is waited for longer, however large it is. */
const LONGEST_UPLOAD_MS = 600_000;
/** What takes longer than this at the slowest is kept to few at once: they share one line, and keep others waiting. */
const SHORT_UPLOAD_MS = 4_000;

/** Milliseconds that one write of a task may take: those of any write, and what its files take on a slow line. */
export function writeLimitMs(task: DeliveryTask): number {
  return STEP_LIMIT_MS + uploadMs(task);
}

/** Whether its files are so large that only some of its kind are written at once. */
export function isLarge(task: DeliveryTask): boolean {
  return uploadMs(task) > SHORT_UPLOAD_MS;
}

/** Where a platform takes files as links it is the same: they are an upper bound. */
function uploadMs({ message, operation }: DeliveryTask): number {
  if (operation !== 'send' && operation !== 'edit') return 0;
  const bytes = message.attachments.reduce((sum, { size }) => sum + (size ?? 0), 0);
  return Math.min(LONGEST_UPLOAD_MS, Math.ceil(bytes / SLOWEST_BYTES_PER_MS));
}
