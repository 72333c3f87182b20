import type { Caller } from '../access/caller.js';
import { notFound } from '../common/errors.js';
import { newId } from '../common/new-id.js';
import type { ConversationKey } from '../conversations/ports.js';
import type { ReadConversations } from '../conversations/use-cases.js';
import type { MessageRecord } from '../messages/record.js';
import type { ProposalDecision, ProposalStore } from './ports.js';
import type { ApproveProposalBody, ProposalRecord } from './record.js';

/** Messages that agents propose and members send. */
export class Proposals {
  constructor(
    private readonly conversations: ReadConversations,
    private readonly store: ProposalStore,
  ) {}

  /** Stores a proposal and sends nothing. Raises `not_found` and `conflict` (`limit_reached`). */
  async propose(caller: Caller, key: ConversationKey, text: string, others: number): Promise<ProposalRecord> {
    const { id } = await this.conversations.get(caller, key);
    return this.store.propose({
      id: newId(),
      workspace_id: caller.workspaceId,
      conversation_id: id,
      proposed_by: caller.userId,
      credential_id: caller.credential.id,
      app_id: caller.appId,
      text,
      read_others: others,
    });
  }

  /** Proposals that can be approved now, oldest first, at most 20. Raises `not_found`. */
  async pending(caller: Caller, key: ConversationKey): Promise<readonly ProposalRecord[]> {
    const { id } = await this.conversations.get(caller, key);
    return this.store.pending(caller.workspaceId, id);
  }

  /** Sends the message once, in the name of the caller. Raises `not_found` and `conflict` (`invalid_state`). */
  async approve(caller: Caller, id: string, { text }: ApproveProposalBody): Promise<MessageRecord> {
    const decision = await this.decision(caller, id);
    const metadata = { proposal_id: id };
    return this.store.approve(decision, {
      id: newId(),
      sender_id: caller.userId,
      metadata,
      ...(text !== undefined && { text }),
    });
  }

  /** Raises `not_found` and `conflict` (`invalid_state`). */
  async refuse(caller: Caller, id: string): Promise<ProposalRecord> {
    return this.store.refuse(await this.decision(caller, id));
  }

  /** Only members who see the conversation may decide. */
  private async decision(caller: Caller, id: string): Promise<ProposalDecision> {
    const found = await this.store.find(caller.workspaceId, id);
    if (found === undefined) throw notFound('The proposal');
    await this.conversations.get(caller, found.conversation_id);
    return { workspace_id: caller.workspaceId, proposal_id: id, decided_by: caller.userId };
  }
}
