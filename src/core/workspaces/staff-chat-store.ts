/** The conversation that gets alerts; null: none. */
export interface StaffChatRecord {
  readonly conversation_number: number | null;
  readonly title: string | null;
  /** Whether proposals are shown there. */
  readonly approvals: boolean;
}

/** The conversation in which a workspace gets alerts. */
export interface StaffChatStore {
  /** A deleted conversation counts as none. */
  find(workspaceId: string): Promise<StaffChatRecord>;
  /** False: the conversation does not exist. */
  set(
    workspaceId: string,
    userId: string,
    conversationNumber: number | null,
    approvals: boolean,
  ): Promise<boolean>;
}

export interface AlertTry {
  readonly event_id: string;
  /** How often it failed. */
  readonly tries: number;
  /** Why it failed now. */
  readonly problem: string | null;
}

export interface AlertWork {
  /** Sends the alert that is due first. Null: none is. */
  send(): Promise<AlertTry | null>;
}
