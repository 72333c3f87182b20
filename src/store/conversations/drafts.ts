import type { Pool } from 'pg';
import type { DraftRecord, SavedDraftRecord } from '../../core/conversations/draft-schema.js';
import type { DraftStore, NewDraft } from '../../core/conversations/ports.js';
import { draftRecordSql, saveDraft } from '../calls.gen.js';
import { readIn } from '../connection/workspace-reads.js';

/** Drafts of members, in PostgreSQL. */
export class PostgresDrafts implements DraftStore {
  constructor(private readonly pool: Pool) {}

  async read(workspaceId: string, conversationId: string, userId: string): Promise<DraftRecord> {
    const { rows } = await readIn<{ record: DraftRecord }>(this.pool, workspaceId, {
      text: `SELECT ${draftRecordSql('d')} AS record FROM message_drafts d
         WHERE workspace_id = $1 AND user_id = $2 AND conversation_id = $3`,
      values: [workspaceId, userId, conversationId],
    });
    return rows[0]?.record ?? null;
  }

  save(draft: NewDraft): Promise<SavedDraftRecord> {
    return saveDraft(this.pool, draft);
  }
}
