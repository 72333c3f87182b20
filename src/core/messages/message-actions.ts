import type { MessageScope } from '../access/message-scope.js';
import type { ClaimKey } from '../common/idempotency.js';
import type { DeliveryRecord, MessageRecord } from './record.js';

/** Actions on existing messages. Each is one transaction with its events. All raise `not_found`. */
export interface MessageActions {
  /** Adds a reader. A repeated call has no effect. */
  read(scope: MessageScope, id: string, readerId: string, claim?: ClaimKey): Promise<MessageRecord>;
  /** Raises `conflict` (`nothing_to_retry`), `access_denied` for a message of another sender. */
  retry(scope: MessageScope, id: string, claim?: ClaimKey): Promise<MessageRecord>;
  /** An existing reaction does not change. Raises `conflict` (`limit_reached`). */
  react(scope: MessageScope, id: string, userId: string, emoji: string): Promise<MessageRecord>;
  /** Raises `not_found` also if there is no such reaction. */
  unreact(scope: MessageScope, id: string, userId: string, emoji: string): Promise<void>;
  /** Raises `conflict` (`invalid_state`) unless failed or expired, `access_denied` for a message of another sender. */
  retryDelivery(scope: MessageScope, id: string, claim?: ClaimKey): Promise<DeliveryRecord>;
  /** Raises `conflict` (`invalid_state`) unless uncertain. */
  resolveDelivery(
    scope: MessageScope,
    id: string,
    outcome: 'sent' | 'failed',
    claim?: ClaimKey,
  ): Promise<DeliveryRecord>;
}
