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
  SELECT c.number::float8 AS conversation_number, c.title, w.staff_chat_approvals AS approvals
  FROM workspaces w
  JOIN conversations c ON c.id = w.staff_conversation_id AND c.deleted_at IS NULL WHERE w.id = $1`;

/** Staff chats, which get the alerts of a workspace, in PostgreSQL. */
export class PostgresStaffChats implements StaffChatStore, AlertWork {
  constructor(private readonly pool: Pool) {}

  async find(workspaceId: string): Promise<StaffChatRecord> {
    const read = { text: FIND, values: [workspaceId] };
    const { rows } = await readIn<StaffChatRecord>(this.pool, workspaceId, read);
    return rows[0] ?? { conversation_number: null, title: null, approvals: false };
  }

  set(workspace: string, person: string, chat: number | null, approvals: boolean): Promise<boolean> {
    return setStaffChat(this.pool, { workspace, person, chat, approvals });
  }

  send(): Promise<AlertTry | null> {
    return sendAlert(this.pool);
  }
}
