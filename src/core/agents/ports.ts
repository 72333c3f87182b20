import type { AgentSessionRecord } from './record.js';

/** Identifies a session, in the names of the database. */
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
  /** The target conversation of a write. */
  readonly conversation_id: string | null;
}

export interface AgentCallVerdict {
  readonly refusal: 'budget' | 'read_others' | null;
  /** Number of other conversations that the session has read. */
  readonly read_others: number;
  /** When the session gets a new budget. */
  readonly retry_at: string;
}

/** The records that the result of a call contains. */
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
  /** Sessions of the last 7 days, the most recently used first; at most 100. */
  list(workspaceId: string): Promise<readonly AgentSessionRecord[]>;
  /** Raises `not_found`. */
  release(workspaceId: string, id: string): Promise<AgentSessionRecord>;
}
