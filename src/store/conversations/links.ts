import type { Pool } from 'pg';
import type { CreateLinkBody } from '../../core/conversations/bodies.js';
import { type LinkRecord, linkList } from '../../core/conversations/record.js';
import type { ListPage, ListQuery } from '../../core/listing/list-spec.js';
import type { ConversationKey, LinkStore } from '../../core/ports/conversations.js';
import type { ClaimKey } from '../../core/ports/idempotency.js';
import type { MessageScope } from '../../core/ports/messages.js';
import { callFunction, change } from '../connection/function-calls.js';
import { type ListSource, listRecords } from '../listing/list-records.js';
import { conversationInput, resolveConversation } from './conversation-scope.js';

const linkSource: ListSource = {
  table: 'links',
  record: 'link_record(links)',
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
    const answer = await change<{ record: LinkRecord }>(
      this.pool,
      'The conversation',
      'link_conversation',
      input,
    );
    return answer.record;
  }

  async remove(scope: MessageScope, key: ConversationKey, linkId: string): Promise<void> {
    const input = { ...conversationInput(scope, key), link_id: linkId };
    await change(this.pool, 'The link', 'unlink_conversation', input);
  }
}

/** Lets a link that the bridge has paused go on. Answers whether it was paused. */
export async function resumeLink(pool: Pool, linkId: string): Promise<boolean> {
  const rows = await callFunction<{ resumed: boolean }>(
    pool,
    'The link',
    'SELECT resume_link($1) AS resumed',
    [linkId],
  );
  return rows[0]?.resumed === true;
}
