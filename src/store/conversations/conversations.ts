import type { Pool } from 'pg';
import type { MessageScope } from '../../core/access/message-scope.js';
import type { ChangeConversationBody } from '../../core/conversations/bodies.js';
import type { ConversationKey, ConversationStore, NewConversation } from '../../core/conversations/ports.js';
import { type ConversationRecord, conversationList } from '../../core/conversations/record.js';
import type { ListPage, ListQuery } from '../../core/listing/list-spec.js';
import {
  conversationRecordSql,
  deleteConversation,
  endSnooze,
  openConversation,
  updateConversation,
} from '../calls.gen.js';
import { readIn } from '../connection/workspace-reads.js';
import { impliedByPlatform, impliedByTeam, impliedByUpdate } from '../listing/filter.js';
import { type ListSource, listRecords } from '../listing/list-records.js';
import { COUNTED_UNTIL } from '../listing/source.js';
import { conversationInput, VISIBLE } from './conversation-scope.js';

const WHAT = 'The conversation';

/** All conversations of a workspace: the counted ones, minus those of them that are deleted, plus the later ones. */
const ALL_CONVERSATIONS = `
  SELECT (coalesce((SELECT conversations FROM list_progress WHERE workspace_id = $1::uuid), 0)
    - (SELECT count(*) FROM conversations WHERE workspace_id = $1::uuid AND created_at < ${COUNTED_UNTIL} AND deleted_at IS NOT NULL)
    + (SELECT count(*) FROM conversations WHERE workspace_id = $1::uuid AND created_at >= ${COUNTED_UNTIL}
      AND deleted_at IS NULL))::int AS total`;

const conversationSource: ListSource = {
  table: 'conversations',
  record: conversationRecordSql('conversations', 'NULL'),
  where: 'deleted_at IS NULL',
  fields: {
    id: 'id',
    created_at: 'created_at',
    updated_at: { sql: 'updated_at', implies: impliedByUpdate },
    last_message_at: 'last_message_at',
    number: 'number',
    status: 'status',
    type: 'type',
    platform: {
      sql: 'id',
      contains: `EXISTS (SELECT 1 FROM links l WHERE l.conversation_id = conversations.id AND l.removed_at IS NULL
        AND l.platform = $1)`,
      implies: impliedByPlatform,
    },
    assignee_id: 'assignee_id',
    // The clause names teams, and the index has the conversations of a team.
    team: {
      sql: '(SELECT t.name FROM teams t WHERE t.id = conversations.team_id AND t.deleted_at IS NULL)',
      implies: impliedByTeam,
    },
    label: {
      sql: 'labels',
      contains: `EXISTS (SELECT 1 FROM conversation_labels l WHERE l.workspace_id = conversations.workspace_id
        AND l.label = $1 AND l.conversation_id = conversations.id)`,
    },
    priority: 'priority',
    participant_id: {
      sql: 'id',
      contains: `EXISTS (SELECT 1 FROM participants p WHERE p.conversation_id = conversations.id AND p.left_at IS NULL
        AND p.user_id = $1::uuid)`,
    },
    title: 'title',
    closed_at: 'closed_at',
    metadata: 'metadata',
  },
  revised: 'revised_at',
  searched: { list: 'conversations', fields: ['title'] },
  total: (workspaceId, filter) =>
    filter.length === 0 ? { text: ALL_CONVERSATIONS, values: [workspaceId] } : undefined,
};

/** Conversations in PostgreSQL. Every change is a database function. */
export class PostgresConversations implements ConversationStore {
  constructor(private readonly pool: Pool) {}

  open(input: NewConversation): Promise<{ record: ConversationRecord; created: boolean }> {
    return openConversation(this.pool, input, WHAT);
  }

  async find(
    scope: MessageScope,
    key: ConversationKey,
    viewerId: string,
  ): Promise<ConversationRecord | undefined> {
    const { rows } = await readIn<{ record: ConversationRecord }>(this.pool, scope.workspaceId, {
      text: `SELECT ${conversationRecordSql('conversations', '$4::uuid')} AS record FROM conversations
       WHERE ${VISIBLE} AND workspace_id = $2 AND deleted_at IS NULL
         AND ${typeof key === 'number' ? 'number = $3::bigint' : 'id = $3::uuid'}`,
      values: [scope.participantId ?? null, scope.workspaceId, key, viewerId],
    });
    return rows[0]?.record;
  }

  list(scope: MessageScope, viewerId: string, query: ListQuery): Promise<ListPage<ConversationRecord>> {
    const record = { sql: conversationRecordSql('conversations', '$1::uuid'), values: [viewerId] };
    const conditions =
      scope.participantId === undefined ? [] : [{ sql: VISIBLE, values: [scope.participantId] }];
    const source = { ...conversationSource, record };
    return listRecords(this.pool, source, conversationList, scope.workspaceId, query, conditions);
  }

  async change(
    scope: MessageScope,
    key: ConversationKey,
    viewerId: string,
    patch: ChangeConversationBody,
  ): Promise<ConversationRecord> {
    const input = { ...conversationInput(scope, key), viewer_id: viewerId, patch };
    return (await updateConversation(this.pool, input, WHAT)).record;
  }

  async delete(scope: MessageScope, key: ConversationKey, actorId: string): Promise<void> {
    const input = { ...conversationInput(scope, key), viewer_id: actorId };
    await deleteConversation(this.pool, input, WHAT);
  }

  endSnooze(id: string): Promise<boolean> {
    return endSnooze(this.pool, id);
  }
}
