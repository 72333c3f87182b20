import type { Caller } from '../access/caller.js';
import type { ClaimKey } from '../common/idempotency.js';
import type { ConversationKey } from '../conversations/ports.js';
import { scopeOf } from '../messages/use-cases.js';
import type { TypingSigns } from './ports.js';

export class SignalTyping {
  constructor(private readonly signs: TypingSigns) {}

  /** Raises `not_found`. */
  execute(
    caller: Caller,
    key: ConversationKey,
    state: 'started' | 'stopped',
    claim?: ClaimKey,
  ): Promise<{ readonly accepted: true }> {
    return this.signs.signal(scopeOf(caller), key, caller.userId, state, claim);
  }
}
