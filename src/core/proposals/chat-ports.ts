import type { ChatIdentityRecord } from './chat-record.js';

/** Who the members are in chats. */
export interface ChatIdentityStore {
  /** At most ten. */
  list(workspaceId: string, userId: string): Promise<readonly ChatIdentityRecord[]>;
  /** In place of the former code. Raises `conflict` (`limit_reached`). */
  makeCode(workspaceId: string, userId: string, hash: string): Promise<{ readonly expires_at: string }>;
  /** False: there is none. */
  remove(userId: string, id: string): Promise<boolean>;
}

export interface ApprovalTry {
  /** The proposal or the press. */
  readonly id: string;
  /** Why it failed now. */
  readonly problem: string | null;
}

/** Proposals in the staff chat. */
export interface ApprovalWork {
  /** Sends or changes the request that is due first. Null: none is. */
  show(): Promise<ApprovalTry | null>;
  /** Judges the press that is due first. `roles` may decide. Null: none is. */
  judge(roles: readonly string[]): Promise<ApprovalTry | null>;
}
