import type { Pool } from 'pg';
import type { ApprovalTry, ApprovalWork, ChatIdentityStore } from '../../core/proposals/chat-ports.js';
import type { ChatIdentityRecord } from '../../core/proposals/chat-record.js';
import {
  createChatCode,
  processApprovalPress,
  processApprovalRequest,
  removeChatIdentity,
  wireTimeSql,
} from '../calls.gen.js';
import { readIn } from '../connection/workspace-reads.js';

const LIST = `
  SELECT i.id, c.platform, c.name AS connection, i.name, ${wireTimeSql('i.created_at')} AS created_at
  FROM chat_identities i JOIN connections c ON c.id = i.connection_id
  WHERE i.workspace_id = $1 AND i.user_id = $2 ORDER BY i.created_at, i.id LIMIT 10`;

/** Proposals in the staff chat, and the chat identities of members, in PostgreSQL. */
export class PostgresChatApprovals implements ChatIdentityStore, ApprovalWork {
  constructor(private readonly pool: Pool) {}

  async list(workspaceId: string, userId: string): Promise<readonly ChatIdentityRecord[]> {
    const read = { text: LIST, values: [workspaceId, userId] };
    const { rows } = await readIn<ChatIdentityRecord>(this.pool, workspaceId, read);
    return rows;
  }

  makeCode(workspace: string, person: string, hash: string): Promise<{ readonly expires_at: string }> {
    return createChatCode(this.pool, { workspace, person, hash }, 'The code');
  }

  remove(person: string, identity: string): Promise<boolean> {
    return removeChatIdentity(this.pool, { person, identity });
  }

  processRequest(): Promise<ApprovalTry | null> {
    return processApprovalRequest(this.pool);
  }

  processPress(roles: readonly string[]): Promise<ApprovalTry | null> {
    return processApprovalPress(this.pool, roles);
  }
}
