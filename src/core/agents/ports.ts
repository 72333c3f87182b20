import type { AgentSessionRecord } from './record.js';

/** Whose session it is, in the names of the database. */
export interface AgentIdentity {
  readonly workspace_id: string;
  readonly session_id: string;
  readonly credential_id: string;
  readonly app_id?: string | undefined;
}

/** `simulate` writes as a customer of a test workspace. */
export type AgentUse = 'read' | 'draft' | 'send' | 'simulate';

export interface AgentCall extends AgentIdentity {
  readonly tool: string;
  readonly use: AgentUse;
  /** The conversation that is written to. */
  readonly conversation_id: string | null;
}

export interface AgentCallVerdict {
  readonly refusal: 'budget' | 'read_others' | null;
  /** How many other conversations the session has read. */
  readonly read_others: number;
  /** When the session has a new budget. */
  readonly retry_at: string;
}

/** What the result of a call shows. */
export interface Seen {
  readonly conversation_ids: readonly string[];
  /** Records that belong to no single conversation, such as contacts. */
  readonly widely: boolean;
}

export type AgentReads = Seen & { readonly workspace_id: string; readonly session_id: string };

export interface AgentSessionStore {
  /** Counts the call, adds it to the audit log and decides about it in one transaction. */
  begin(call: AgentCall): Promise<AgentCallVerdict>;
  noteReads(reads: AgentReads): Promise<void>;
  /** Those of the last 7 days, the one that was used last first; at most 100. */
  list(workspaceId: string): Promise<readonly AgentSessionRecord[]>;
  /** Raises `not_found`. */
  release(workspaceId: string, id: string): Promise<AgentSessionRecord>;
}
