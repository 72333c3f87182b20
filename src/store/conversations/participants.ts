import type { Pool } from 'pg';
import type { MessageScope } from '../../core/access/message-scope.js';
import type { ClaimKey } from '../../core/common/idempotency.js';
import type { ConversationKey, ParticipantStore } from '../../core/conversations/ports.js';
import { type ParticipantRecord, participantList } from '../../core/conversations/record.js';
import type { ListPage, ListQuery } from '../../core/listing/list-spec.js';
import { addParticipant, participantRecordSql, removeParticipant } from '../calls.gen.js';
import { type ListSource, listRecords } from '../listing/list-records.js';
import { conversationInput, resolveConversation } from './conversation-scope.js';

const participantSource: ListSource = {
  table: 'participants',
  record: participantRecordSql('participants'),
  id: 'user_id',
  fields: {
    joined_at: { sql: 'joined_at', type: 'timestamp' },
    role: 'role',
    user_id: 'user_id',
  },
};

/** Participants in PostgreSQL. */
export class PostgresParticipants implements ParticipantStore {
  constructor(private readonly pool: Pool) {}

  async list(
    scope: MessageScope,
    key: ConversationKey,
    query: ListQuery,
  ): Promise<ListPage<ParticipantRecord>> {
    const id = await resolveConversation(this.pool, scope, key);
    const conditions = [{ sql: 'conversation_id = $1::uuid', values: [id] }];
    return listRecords(this.pool, participantSource, participantList, scope.workspaceId, query, conditions);
  }

  async add(
    scope: MessageScope,
    key: ConversationKey,
    participant: { readonly user_id: string; readonly role?: string },
    claim?: ClaimKey,
  ): Promise<ParticipantRecord> {
    const input = { ...conversationInput(scope, key), ...participant, claim };
    return (await addParticipant(this.pool, input, 'The conversation')).record;
  }

  async remove(scope: MessageScope, key: ConversationKey, userId: string): Promise<void> {
    const input = { ...conversationInput(scope, key), user_id: userId };
    await removeParticipant(this.pool, input, 'The participant');
  }
}
