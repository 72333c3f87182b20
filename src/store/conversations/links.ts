import type { Pool } from 'pg';
import type { MessageScope } from '../../core/access/message-scope.js';
import type { ClaimKey } from '../../core/common/idempotency.js';
import type { CreateLinkBody } from '../../core/conversations/bodies.js';
import type { ConversationKey, LinkStore } from '../../core/conversations/ports.js';
import { type LinkRecord, linkList } from '../../core/conversations/record.js';
import type { ListPage, ListQuery } from '../../core/listing/list-spec.js';
import { linkConversation, linkRecordSql, resumeLink as resume, unlinkConversation } from '../calls.gen.js';
import { type ListSource, listRecords } from '../listing/list-records.js';
import { conversationInput, resolveConversation } from './conversation-scope.js';

const linkSource: ListSource = {
  table: 'links',
  record: linkRecordSql('links'),
  where: 'removed_at IS NULL',
  fields: {
    id: 'id',
    created_at: 'created_at',
    updated_at: 'updated_at',
    connection_id: 'connection_id',
    platform: 'platform',
    direction: 'direction',
    status: 'status',
    external_id: 'external_id',
  },
};

/** Links in PostgreSQL. */
export class PostgresLinks implements LinkStore {
  constructor(private readonly pool: Pool) {}

  async list(scope: MessageScope, key: ConversationKey, query: ListQuery): Promise<ListPage<LinkRecord>> {
    const id = await resolveConversation(this.pool, scope, key);
    const conditions = [{ sql: 'conversation_id = $1::uuid', values: [id] }];
    return listRecords(this.pool, linkSource, linkList, scope.workspaceId, query, conditions);
  }

  async add(
    scope: MessageScope,
    key: ConversationKey,
    link: CreateLinkBody & { readonly id: string },
    claim?: ClaimKey,
  ): Promise<LinkRecord> {
    const input = { ...conversationInput(scope, key), link, claim };
    return (await linkConversation(this.pool, input, 'The conversation')).record;
  }

  async remove(scope: MessageScope, key: ConversationKey, linkId: string): Promise<void> {
    const input = { ...conversationInput(scope, key), link_id: linkId };
    await unlinkConversation(this.pool, input, 'The link');
  }
}

/** Resumes a link that the bridge has paused. Resolves with whether it was paused. */
export function resumeLink(pool: Pool, linkId: string): Promise<boolean> {
  return resume(pool, linkId);
}
