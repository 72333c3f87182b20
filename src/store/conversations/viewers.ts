import type { Pool } from 'pg';
import type { ViewerStore } from '../../core/conversations/ports.js';
import { stopViewing, viewConversation } from '../calls.gen.js';

/** Members who have a conversation open, in PostgreSQL. */
export class PostgresViewers implements ViewerStore {
  constructor(private readonly pool: Pool) {}

  view(workspaceId: string, conversationId: string, userId: string): Promise<string[]> {
    return viewConversation(this.pool, {
      workspace: workspaceId,
      conversation: conversationId,
      viewer: userId,
    });
  }

  stop(workspaceId: string, conversationId: string, userId: string): Promise<void> {
    return stopViewing(this.pool, { workspace: workspaceId, conversation: conversationId, viewer: userId });
  }
}
