import type { Pool } from 'pg';
import type {
  AlertTry,
  AlertWork,
  StaffChatRecord,
  StaffChatStore,
} from '../../core/workspaces/staff-chat-store.js';
import { sendAlert, setStaffChat } from '../calls.gen.js';
import { readIn } from '../connection/workspace-reads.js';

const FIND = `
  SELECT c.number::float8 AS conversation_number, c.title FROM workspaces w
  JOIN conversations c ON c.id = w.staff_conversation_id AND c.deleted_at IS NULL WHERE w.id = $1`;

/** Where workspaces get alerts, in PostgreSQL. */
export class PostgresStaffChats implements StaffChatStore, AlertWork {
  constructor(private readonly pool: Pool) {}

  async find(workspaceId: string): Promise<StaffChatRecord> {
    const read = { text: FIND, values: [workspaceId] };
    const { rows } = await readIn<StaffChatRecord>(this.pool, workspaceId, read);
    return rows[0] ?? { conversation_number: null, title: null };
  }

  set(workspaceId: string, userId: string, conversationNumber: number | null): Promise<boolean> {
    return setStaffChat(this.pool, { workspace: workspaceId, person: userId, chat: conversationNumber });
  }

  send(): Promise<AlertTry | null> {
    return sendAlert(this.pool);
  }
}
