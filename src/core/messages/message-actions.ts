import type { MessageScope } from '../access/message-scope.js';
import type { ClaimKey } from '../common/idempotency.js';
import type { DeliveryRecord, MessageRecord } from './record.js';

/** What becomes of messages that are there. Each is one transaction with its events; all raise `not_found`. */
export interface MessageActions {
  /** Adds a reader; one who has read it already changes nothing. */
  read(scope: MessageScope, id: string, readerId: string, claim?: ClaimKey): Promise<MessageRecord>;
  /** Raises `conflict` (`nothing_to_retry`), `access_denied` for another's message. */
  retry(scope: MessageScope, id: string, claim?: ClaimKey): Promise<MessageRecord>;
  /** A reaction that is there already changes nothing. Raises `conflict` (`limit_reached`). */
  react(scope: MessageScope, id: string, userId: string, emoji: string): Promise<MessageRecord>;
  /** Raises `not_found` also for a reaction that is not there. */
  unreact(scope: MessageScope, id: string, userId: string, emoji: string): Promise<void>;
  /** Raises `conflict` (`invalid_state`) unless failed or expired, `access_denied` for a delivery of another's message. */
  retryDelivery(scope: MessageScope, id: string, claim?: ClaimKey): Promise<DeliveryRecord>;
  /** Raises `conflict` (`invalid_state`) unless uncertain. */
  resolveDelivery(
    scope: MessageScope,
    id: string,
    outcome: 'sent' | 'failed',
    claim?: ClaimKey,
  ): Promise<DeliveryRecord>;
}
