import type { Pool } from 'pg';
import { readIn } from '../connection/workspace-reads.js';

/** The link of a chat. */
interface ChatLink {
  readonly linkId: string;
  readonly conversationId: string;
  readonly number: number;
}

/** A chat of a connection. */
export interface ChatKey {
  readonly connectionId: string;
  readonly externalId: string;
  readonly threadId: string | null;
}

/** Finds the conversation of a chat. */
export class PostgresChats {
  constructor(private readonly pool: Pool) {}

  async find(workspaceId: string, { connectionId, externalId, threadId }: ChatKey) {
    const { rows } = await readIn<ChatLink>(this.pool, workspaceId, {
      text: `SELECT l.id AS "linkId", c.id AS "conversationId", c.number::int AS number
        FROM links l JOIN conversations c ON c.id = l.conversation_id
        WHERE l.workspace_id = $1 AND l.connection_id = $2 AND l.external_id = $3
          AND coalesce(l.external_thread_id, '') = coalesce($4, '') AND l.removed_at IS NULL`,
      values: [workspaceId, connectionId, externalId, threadId],
    });
    return rows[0];
  }
}
