import type { Caller } from '../access/caller.js';
import { AppError, notFound } from '../common/errors.js';
import { conversationKey } from '../conversations/bodies.js';
import type { ReadConversations } from '../conversations/use-cases.js';
import type { AgentCallVerdict, AgentIdentity, AgentSessionStore, AgentUse, Seen } from './ports.js';
import type { AgentSessionRecord } from './record.js';

export interface BeginningCall {
  readonly tool: string;
  readonly use: AgentUse;
  /** Id or number of the target conversation of a write, as sent by the agent. */
  readonly target?: string | undefined;
}

/** A call that may proceed. */
export interface AllowedCall {
  /** The target conversation of a write; empty for a call that only reads. */
  readonly conversationId: string;
  /** Number of other conversations that the session has read. */
  readonly others: number;
}

/**
 * Tracks what agents have read and decides what they may write. A session belongs to an API key, or to an app and its
 * user. Another connection with the same credentials continues the session.
 */
export class AgentSessions {
  constructor(
    private readonly conversations: ReadConversations,
    private readonly store: AgentSessionStore,
  ) {}

  /**
   * Raises `rate_limit_exceeded` when the budget is spent, `access_denied` when the session has read too much, and
   * `not_found`.
   */
  async begin(caller: Caller, { tool, use, target }: BeginningCall): Promise<AllowedCall> {
    const found = target === undefined ? undefined : await this.find(caller, target);
    const conversation = typeof found === 'string' ? found : null;
    const call = { ...identityOf(caller), tool, use, conversation_id: conversation };
    const verdict = await this.store.begin(call);
    if (verdict.refusal === 'budget') throw spent(verdict);
    if (found instanceof AppError) throw found;
    if (verdict.refusal === 'read_others') throw tainted(use);
    return { conversationId: conversation ?? '', others: verdict.read_others };
  }

  /** Records what the result of a call contains. The result must not reach the agent before this resolves. */
  async note(caller: Caller, seen: Seen): Promise<void> {
    if (!seen.widely && seen.conversation_ids.length === 0) return;
    const { workspace_id, session_id } = identityOf(caller);
    await this.store.noteReads({ workspace_id, session_id, ...seen });
  }

  list({ workspaceId }: Caller): Promise<readonly AgentSessionRecord[]> {
    return this.store.list(workspaceId);
  }

  /** Clears the record of what the session has read. Raises `not_found`. */
  release({ workspaceId }: Caller, id: string): Promise<AgentSessionRecord> {
    return this.store.release(workspaceId, id);
  }

  private async find(caller: Caller, sent: string): Promise<string | AppError> {
    const key = conversationKey.safeParse(sent);
    if (!key.success) return notFound('The conversation');
    try {
      return (await this.conversations.get(caller, key.data)).id;
    } catch (error) {
      if (error instanceof AppError) return error;
      throw error;
    }
  }
}

function identityOf({ workspaceId, credential, rateBucket, appId }: Caller): AgentIdentity {
  return {
    workspace_id: workspaceId,
    session_id: rateBucket ?? credential.id,
    credential_id: credential.id,
    app_id: appId,
  };
}

function spent({ retry_at }: AgentCallVerdict): AppError {
  return new AppError('rate_limit_exceeded', 'The budget of the agent is spent.', { retry_at });
}

function tainted(use: AgentUse): AppError {
  const message =
    use === 'send'
      ? 'The agent has read other data than this conversation. Draft the message, or ask a person to release the agent.'
      : 'The agent has read other conversations and not this one. Read it first, or ask a person to release the agent.';
  return new AppError('access_denied', message, { reason: 'read_others' });
}
