import type { Pool } from 'pg';
import type { InboxContact, InboxConversation, InboxMessage } from '../../core/contact-imports/inbox.js';
import { importInboxContact, importInboxConversation, importInboxMessages } from '../calls.gen.js';

/** What another inbox had, in PostgreSQL. Every call may be repeated. */
export class PostgresInboxImports {
  constructor(private readonly pool: Pool) {}

  contact(contact: InboxContact, dryRun: boolean) {
    return importInboxContact(this.pool, { ...contact, dry_run: dryRun }, 'The contact');
  }

  conversation(conversation: InboxConversation, dryRun: boolean) {
    return importInboxConversation(this.pool, { ...conversation, dry_run: dryRun }, 'The conversation');
  }

  /** Resolves with how many of them were not there. */
  messages(workspaceId: string, conversationId: string, messages: readonly InboxMessage[]): Promise<number> {
    return importInboxMessages(this.pool, {
      workspace_id: workspaceId,
      conversation_id: conversationId,
      messages,
    });
  }

  /** Which of these messages are there, deleted ones included. */
  async known(workspaceId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const { rows } = await this.pool.query<{ id: string }>(
      'SELECT id FROM messages WHERE id = ANY ($2::uuid[]) AND workspace_id = $1',
      [workspaceId, ids],
    );
    return new Set(rows.map(({ id }) => id));
  }
}
