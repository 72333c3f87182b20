import type { Pool } from 'pg';
import type { DeliveryRecord, MessageRecord } from '../../core/messages/record.js';
import type { ClaimKey } from '../../core/ports/idempotency.js';
import type { MessageActions } from '../../core/ports/message-actions.js';
import type { MessageScope } from '../../core/ports/messages.js';
import { change } from '../connection/function-calls.js';

const MESSAGE = 'The message';
const DELIVERY = 'The delivery';

/** What is done with messages in PostgreSQL; every action is a function of the database. */
export class PostgresMessageActions implements MessageActions {
  constructor(private readonly pool: Pool) {}

  read(scope: MessageScope, id: string, readerId: string, claim?: ClaimKey): Promise<MessageRecord> {
    return this.#act(MESSAGE, 'mark_read', scope, { message_id: id, reader_id: readerId, claim });
  }

  retry(scope: MessageScope, id: string, claim?: ClaimKey): Promise<MessageRecord> {
    return this.#act(MESSAGE, 'retry_message', scope, { message_id: id, claim });
  }

  react(scope: MessageScope, id: string, userId: string, emoji: string): Promise<MessageRecord> {
    return this.#act(MESSAGE, 'react_to_message', scope, { message_id: id, user_id: userId, emoji });
  }

  async unreact(scope: MessageScope, id: string, userId: string, emoji: string): Promise<void> {
    const input = { message_id: id, user_id: userId, emoji };
    await this.#act('The reaction', 'unreact_to_message', scope, input);
  }

  retryDelivery(scope: MessageScope, id: string, claim?: ClaimKey): Promise<DeliveryRecord> {
    return this.#act(DELIVERY, 'retry_delivery', scope, { delivery_id: id, claim });
  }

  resolveDelivery(
    scope: MessageScope,
    id: string,
    outcome: 'sent' | 'failed',
    claim?: ClaimKey,
  ): Promise<DeliveryRecord> {
    return this.#act(DELIVERY, 'resolve_delivery', scope, { delivery_id: id, outcome, claim });
  }

  async #act<Record>(what: string, name: string, scope: MessageScope, input: object): Promise<Record> {
    const whole = { ...input, workspace_id: scope.workspaceId, participant_id: scope.participantId };
    return (await change<{ record: Record }>(this.pool, what, name, whole)).record;
  }
}
