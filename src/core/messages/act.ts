import type { Caller } from '../access/caller.js';
import { scopeOf } from '../access/message-scope.js';
import { AppError } from '../common/errors.js';
import type { ClaimKey } from '../common/idempotency.js';
import { requireEmoji } from './emoji.js';
import type { MessageActions } from './message-actions.js';
import type { MessageRecord } from './record.js';

/** Actions on existing messages. All raise `not_found` for a message that is not visible. */
export class ActOnMessages {
  constructor(private readonly store: MessageActions) {}

  /** A repeated call has no effect. */
  read(caller: Caller, id: string, claim?: ClaimKey): Promise<MessageRecord> {
    return this.store.read(scopeOf(caller), id, caller.userId, claim);
  }

  /** Marks messages as read. Skips messages that no longer exist. */
  async readAll(caller: Caller, ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      try {
        await this.read(caller, id);
      } catch (cause) {
        if (!(cause instanceof AppError && cause.code === 'not_found')) throw cause;
      }
    }
  }

  /** Queues every failed or expired delivery again. Raises `conflict` (`nothing_to_retry`). */
  retry(caller: Caller, id: string, claim?: ClaimKey): Promise<MessageRecord> {
    return this.store.retry(scopeOf(caller), id, claim);
  }

  /** Raises `invalid_request` if `emoji` is no emoji, and `conflict` (`limit_reached`). */
  async react(caller: Caller, id: string, emoji: string): Promise<MessageRecord> {
    return this.store.react(scopeOf(caller), id, caller.userId, requireEmoji(emoji));
  }

  /** Raises `invalid_request` if `emoji` is no emoji, and `not_found` if the caller has no such reaction. */
  async unreact(caller: Caller, id: string, emoji: string): Promise<void> {
    await this.store.unreact(scopeOf(caller), id, caller.userId, requireEmoji(emoji));
  }
}
