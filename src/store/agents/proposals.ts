import type { Pool } from 'pg';
import type { MessageRecord } from '../../core/messages/record.js';
import type {
  ApprovedMessage,
  NewProposal,
  ProposalDecision,
  ProposalStore,
} from '../../core/proposals/ports.js';
import type { ProposalRecord } from '../../core/proposals/record.js';
import { approveProposal, proposalRecordSql, proposeMessage, refuseProposal } from '../calls.gen.js';
import { readIn } from '../connection/workspace-reads.js';

const WHAT = 'The proposal';

/** Messages that agents propose, in PostgreSQL. */
export class PostgresProposals implements ProposalStore {
  constructor(private readonly pool: Pool) {}

  async propose(proposal: NewProposal): Promise<ProposalRecord> {
    return (await proposeMessage(this.pool, proposal, WHAT)).record;
  }

  async find(workspaceId: string, id: string): Promise<ProposalRecord | undefined> {
    const { rows } = await readIn<{ record: ProposalRecord }>(this.pool, workspaceId, {
      text: `SELECT ${proposalRecordSql('p')} AS record FROM proposals p WHERE workspace_id = $1 AND id = $2`,
      values: [workspaceId, id],
    });
    return rows[0]?.record;
  }

  async pending(workspaceId: string, conversationId: string): Promise<readonly ProposalRecord[]> {
    const { rows } = await readIn<{ record: ProposalRecord }>(this.pool, workspaceId, {
      text: `SELECT ${proposalRecordSql('p')} AS record FROM proposals p
         WHERE workspace_id = $1 AND conversation_id = $2 AND status = 'pending' AND expires_at > now()
         ORDER BY created_at, id LIMIT 20`,
      values: [workspaceId, conversationId],
    });
    return rows.map(({ record }) => record);
  }

  async approve(decision: ProposalDecision, message: ApprovedMessage): Promise<MessageRecord> {
    return (await approveProposal(this.pool, { ...decision, message }, WHAT)).record;
  }

  async refuse(decision: ProposalDecision): Promise<ProposalRecord> {
    return (await refuseProposal(this.pool, decision, WHAT)).record;
  }
}
