import type { Pool } from 'pg';
import type { MessageScope } from '../../core/access/message-scope.js';
import type { ClaimKey } from '../../core/common/idempotency.js';
import type { MessageActions } from '../../core/messages/message-actions.js';
import type { DeliveryRecord, MessageRecord } from '../../core/messages/record.js';
import {
  markRead,
  reactToMessage,
  resolveDelivery,
  retryDelivery,
  retryMessage,
  unreactToMessage,
} from '../calls.gen.js';

const MESSAGE = 'The message';
const DELIVERY = 'The delivery';

/** Actions on messages in PostgreSQL. Every action is a database function. */
export class PostgresMessageActions implements MessageActions {
  constructor(private readonly pool: Pool) {}

  async read(scope: MessageScope, id: string, readerId: string, claim?: ClaimKey): Promise<MessageRecord> {
    const input = { ...inScope(scope), message_id: id, reader_id: readerId, claim };
    return (await markRead(this.pool, input, MESSAGE)).record;
  }

  async retry(scope: MessageScope, id: string, claim?: ClaimKey): Promise<MessageRecord> {
    return (await retryMessage(this.pool, { ...inScope(scope), message_id: id, claim }, MESSAGE)).record;
  }

  async react(scope: MessageScope, id: string, userId: string, emoji: string): Promise<MessageRecord> {
    const input = { ...inScope(scope), message_id: id, user_id: userId, emoji };
    return (await reactToMessage(this.pool, input, MESSAGE)).record;
  }

  async unreact(scope: MessageScope, id: string, userId: string, emoji: string): Promise<void> {
    const input = { ...inScope(scope), message_id: id, user_id: userId, emoji };
    await unreactToMessage(this.pool, input, 'The reaction');
  }

  async retryDelivery(scope: MessageScope, id: string, claim?: ClaimKey): Promise<DeliveryRecord> {
    return (await retryDelivery(this.pool, { ...inScope(scope), delivery_id: id, claim }, DELIVERY)).record;
  }

  async resolveDelivery(
    scope: MessageScope,
    id: string,
    outcome: 'sent' | 'failed',
    claim?: ClaimKey,
  ): Promise<DeliveryRecord> {
    const input = { ...inScope(scope), delivery_id: id, outcome, claim };
    return (await resolveDelivery(this.pool, input, DELIVERY)).record;
  }
}

function inScope(scope: MessageScope) {
  return { workspace_id: scope.workspaceId, participant_id: scope.participantId };
}
