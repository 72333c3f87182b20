import type { Pool } from 'pg';
import type { MessageScope } from '../../core/access/message-scope.js';
import type { ClaimKey } from '../../core/common/idempotency.js';
import type { ConversationKey } from '../../core/conversations/ports.js';
import type {
  ReactionCopies,
  ReactionOutcome,
  ReactionTask,
  TypingSigns,
  TypingTarget,
} from '../../core/signals/ports.js';
import { canSendToLinkSql, claimReactions, settleReaction, signalTyping } from '../calls.gen.js';
import { conversationInput } from '../conversations/conversation-scope.js';

/** Lease of a reaction. It is longer than one write may take. */
const LEASE_SECONDS = 60;

/** Copies of reactions that platforms should show, in PostgreSQL. */
export class PostgresReactionCopies implements ReactionCopies {
  constructor(private readonly pool: Pool) {}

  claim(connectionId: string, maxReactions: number): Promise<readonly ReactionTask[]> {
    return claimReactions(this.pool, { connection: connectionId, maxReactions, leaseSeconds: LEASE_SECONDS });
  }

  settle(task: ReactionTask, outcome: ReactionOutcome, single: boolean): Promise<void> {
    return settleReaction(this.pool, { ...task, ...outcome, single });
  }
}

/** Typing indicators: an event, and a reminder that contains all data. */
export class PostgresTypingSigns implements TypingSigns {
  constructor(private readonly pool: Pool) {}

  async signal(
    scope: MessageScope,
    key: ConversationKey,
    userId: string,
    state: 'started' | 'stopped',
    claim?: ClaimKey,
  ): Promise<{ accepted: true }> {
    const input = { ...conversationInput(scope, key), user_id: userId, state, claim };
    return (await signalTyping(this.pool, input, 'The conversation')).record;
  }

  async targets(conversationId: string, fromLinkId: string | undefined): Promise<readonly TypingTarget[]> {
    const { rows } = await this.pool.query<TypingTarget>(
      `SELECT l.connection_id, l.external_id AS external_chat_id, l.external_thread_id, l.address
       FROM links l JOIN connections k ON k.id = l.connection_id AND (k.paused_until IS NULL OR k.paused_until <= now())
       WHERE l.conversation_id = $1 AND ${canSendToLinkSql('l')} AND l.id IS DISTINCT FROM $2::uuid`,
      [conversationId, fromLinkId ?? null],
    );
    return rows;
  }
}
