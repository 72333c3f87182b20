import type { Caller } from '../access/caller.js';
import { scopeOf } from '../access/message-scope.js';
import { AppError } from '../common/errors.js';
import type { ClaimKey } from '../common/idempotency.js';
import { requireEmoji } from './emoji.js';
import type { MessageActions } from './message-actions.js';
import type { MessageRecord } from './record.js';

/** What a caller does with messages that are there. All raise `not_found` for a message that is not visible. */
export class ActOnMessages {
  constructor(private readonly store: MessageActions) {}

  /** Repeated it has no effect. */
  read(caller: Caller, id: string, claim?: ClaimKey): Promise<MessageRecord> {
    return this.store.read(scopeOf(caller), id, caller.userId, claim);
  }

  /** Reads what a person has before them. Messages that are gone meanwhile are left out. */
  async readAll(caller: Caller, ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      try {
        await this.read(caller, id);
      } catch (cause) {
        if (!(cause instanceof AppError && cause.code === 'not_found')) throw cause;
      }
    }
  }

  /** Every failed or expired delivery is queued again. Raises `conflict` (`nothing_to_retry`). */
  retry(caller: Caller, id: string, claim?: ClaimKey): Promise<MessageRecord> {
    return this.store.retry(scopeOf(caller), id, claim);
  }

  /** Raises `invalid_request` for what is no emoji, `conflict` (`limit_reached`). */
  async react(caller: Caller, id: string, emoji: string): Promise<MessageRecord> {
    return this.store.react(scopeOf(caller), id, caller.userId, requireEmoji(emoji));
  }

  /** Raises `invalid_request` for what is no emoji, `not_found` where the caller has not reacted so. */
  async unreact(caller: Caller, id: string, emoji: string): Promise<void> {
    await this.store.unreact(scopeOf(caller), id, caller.userId, requireEmoji(emoji));
  }
}
