import type { Caller } from '../access/caller.js';
import { AppError, notFound } from '../common/errors.js';
import { conversationKey } from '../conversations/bodies.js';
import type { ReadConversations } from '../conversations/use-cases.js';
import type { AgentCallVerdict, AgentIdentity, AgentSessionStore, AgentUse, Seen } from './ports.js';
import type { AgentSessionRecord } from './record.js';

export interface BeginningCall {
  readonly tool: string;
  readonly use: AgentUse;
  /** Id or number of the conversation that is written to, as the agent sent it. */
  readonly target?: string | undefined;
}

/** A call that may go on. */
export interface AllowedCall {
  /** The conversation that is written to; empty for a call that reads. */
  readonly conversationId: string;
  /** How many other conversations the session has read. */
  readonly others: number;
}

/**
 * What agents have read, and what they may therefore write. A session is the key, or the app and its user: another connection
 * with the same credentials continues it.
 */
export class AgentSessions {
  constructor(
    private readonly conversations: ReadConversations,
    private readonly store: AgentSessionStore,
  ) {}

  /** Raises `rate_limit_exceeded` for a spent budget, `access_denied` for what was read, and `not_found`. */
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

  /** The result of a call must not reach the agent before this resolves. */
  async note(caller: Caller, seen: Seen): Promise<void> {
    if (!seen.widely && seen.conversation_ids.length === 0) return;
    const { workspace_id, session_id } = identityOf(caller);
    await this.store.noteReads({ workspace_id, session_id, ...seen });
  }

  list({ workspaceId }: Caller): Promise<readonly AgentSessionRecord[]> {
    return this.store.list(workspaceId);
  }

  /** Forgets what the session has read. Raises `not_found`. */
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
      ? 'The agent has read something else than this conversation. Draft the message, or ask a person to release the agent.'
      : 'The agent has read other conversations and not this one. Read it first, or ask a person to release the agent.';
  return new AppError('access_denied', message, { reason: 'read_others' });
}
