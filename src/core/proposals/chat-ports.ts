import type { ChatIdentityRecord } from './chat-record.js';

/** The accounts of members in chats. */
export interface ChatIdentityStore {
  /** Returns at most ten accounts. */
  list(workspaceId: string, userId: string): Promise<readonly ChatIdentityRecord[]>;
  /** Replaces the former code. Raises `conflict` (`limit_reached`). */
  makeCode(workspaceId: string, userId: string, hash: string): Promise<{ readonly expires_at: string }>;
  /** False if there is no such account. */
  remove(userId: string, id: string): Promise<boolean>;
}

export interface ApprovalTry {
  /** Id of the proposal or of the press. */
  readonly id: string;
  /** The reason if this attempt failed. */
  readonly problem: string | null;
}

/** Work on proposals in the staff chat. */
export interface ApprovalWork {
  /** Sends or changes the request that is due first. Null if none is due. */
  processRequest(): Promise<ApprovalTry | null>;
  /** Processes the button press that is due first. `roles`: the roles that may decide. Null if none is due. */
  processPress(roles: readonly string[]): Promise<ApprovalTry | null>;
}
