import { PlatformError } from '../../../contract/index.js';
import type { AttachmentRecord } from '../../media/attachment.js';
import type { DeliveryTask } from '../task.js';

/** `platform_code` of an attempt that ended because a file was still being fetched. */
export const MEDIA_PENDING = 'media_pending';

const MIN_MS = 2_000;
const MAX_MS = 60_000;

/**
 * Throws a temporary error while a file of the message is being fetched, and a permanent one if a file sent by a client
 * could not be fetched. A message from a platform is relayed without a missing file, so that its text is not held back.
 */
export function assertMedia({ operation, message, sender }: DeliveryTask, nowMs: number): void {
  if (operation !== 'send') return;
  const pending = message.attachments.find(({ state }) => state === 'pending');
  if (pending !== undefined) {
    throw new PlatformError(
      { kind: 'rate_limited', retryAfterMs: waitMs(pending, nowMs), scope: 'chat' },
      { dispatched: 'no', message: 'A file of the message is still being fetched.', code: MEDIA_PENDING },
    );
  }
  if (sender === null && message.attachments.some(({ state }) => state === 'failed')) {
    throw new PlatformError(
      { kind: 'rejected', reason: 'media_unavailable' },
      { dispatched: 'no', message: 'A file of the message could not be fetched.' },
    );
  }
}

/**
 * The longer a fetch takes, the less often it is checked. The process that stores the file triggers a check
 * immediately. Ids begin with their creation time.
 */
function waitMs({ id }: AttachmentRecord, nowMs: number): number {
  const madeAt = Number.parseInt(id.replace('-', '').slice(0, 12), 16);
  return Math.min(MAX_MS, Math.max(MIN_MS, nowMs - madeAt));
}
