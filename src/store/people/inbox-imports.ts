import type { Pool } from 'pg';
import type { InboxContact, InboxConversation, InboxMessage } from '../../core/contact-imports/inbox.js';
import { importInboxContact, importInboxConversation, importInboxMessages } from '../calls.gen.js';

/** Imports the data of another inbox into PostgreSQL. Every call may be repeated. */
export class PostgresInboxImports {
  constructor(private readonly pool: Pool) {}

  contact(contact: InboxContact, dryRun: boolean) {
    return importInboxContact(this.pool, { ...contact, dry_run: dryRun }, 'The contact');
  }

  conversation(conversation: InboxConversation, dryRun: boolean) {
    return importInboxConversation(this.pool, { ...conversation, dry_run: dryRun }, 'The conversation');
  }

  /** Resolves with the number of new messages. */
  messages(workspaceId: string, conversationId: string, messages: readonly InboxMessage[]): Promise<number> {
    return importInboxMessages(this.pool, {
      workspace_id: workspaceId,
      conversation_id: conversationId,
      messages,
    });
  }

  /** The ids of these messages that exist, including deleted ones. */
  async known(workspaceId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const { rows } = await this.pool.query<{ id: string }>(
      'SELECT id FROM messages WHERE id = ANY ($2::uuid[]) AND workspace_id = $1',
      [workspaceId, ids],
    );
    return new Set(rows.map(({ id }) => id));
  }
}
