import type { Pool } from 'pg';
import type { AgentCall, AgentCallVerdict, AgentReads, AgentSessionStore } from '../../core/agents/ports.js';
import type { AgentSessionRecord } from '../../core/agents/record.js';
import {
  agentSessionRecordSql,
  recordAgentReads,
  releaseAgentSession,
  startAgentCall,
} from '../calls.gen.js';
import { readIn } from '../connection/workspace-reads.js';

/** Calls and reads of agents, in PostgreSQL. */
export class PostgresAgentSessions implements AgentSessionStore {
  constructor(private readonly pool: Pool) {}

  begin(call: AgentCall): Promise<AgentCallVerdict> {
    return startAgentCall(this.pool, call);
  }

  noteReads(reads: AgentReads): Promise<void> {
    return recordAgentReads(this.pool, reads);
  }

  async list(workspaceId: string): Promise<readonly AgentSessionRecord[]> {
    const { rows } = await readIn<{ record: AgentSessionRecord }>(this.pool, workspaceId, {
      text: `SELECT ${agentSessionRecordSql('s')} AS record FROM agent_sessions s
         WHERE workspace_id = $1 AND used_at > now() - interval '7 days' ORDER BY used_at DESC LIMIT 100`,
      values: [workspaceId],
    });
    return rows.map(({ record }) => record);
  }

  async release(workspaceId: string, id: string): Promise<AgentSessionRecord> {
    const args = { workspace: workspaceId, session: id };
    return (await releaseAgentSession(this.pool, args, 'The session')).record;
  }
}
