import type { NewMessage } from '../messages/ports.js';
import type { MessageRecord } from '../messages/record.js';
import type { ProposalRecord } from './record.js';

/** A proposal to store, with the field names of the database. */
export interface NewProposal {
  readonly id: string;
  readonly workspace_id: string;
  readonly conversation_id: string;
  readonly proposed_by: string;
  readonly credential_id: string;
  readonly app_id?: string | undefined;
  readonly text: string;
  readonly read_others: number;
}

export interface ProposalDecision {
  readonly workspace_id: string;
  readonly proposal_id: string;
  readonly decided_by: string;
}

/** A message without its conversation. Without a text, it has the text of the proposal. */
export type ApprovedMessage = Pick<NewMessage, 'id' | 'sender_id' | 'metadata'> & { readonly text?: string };

export interface ProposalStore {
  /** Raises `not_found` and `conflict` (`limit_reached`). */
  propose(proposal: NewProposal): Promise<ProposalRecord>;
  find(workspaceId: string, id: string): Promise<ProposalRecord | undefined>;
  /** Proposals that can be approved now, oldest first, at most 20. */
  pending(workspaceId: string, conversationId: string): Promise<readonly ProposalRecord[]>;
  /** Marks the proposal and accepts the message in one transaction. Raises `not_found` and `conflict` (`invalid_state`). */
  approve(decision: ProposalDecision, message: ApprovedMessage): Promise<MessageRecord>;
  /** Raises `not_found` and `conflict` (`invalid_state`). */
  refuse(decision: ProposalDecision): Promise<ProposalRecord>;
}
