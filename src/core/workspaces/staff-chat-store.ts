/** The conversation that gets alerts. Null: none. */
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
  /** False if the conversation does not exist. */
  set(
    workspaceId: string,
    userId: string,
    conversationNumber: number | null,
    approvals: boolean,
  ): Promise<boolean>;
}

export interface AlertTry {
  readonly event_id: string;
  /** Number of failed attempts. */
  readonly tries: number;
  /** The reason if this attempt failed. */
  readonly problem: string | null;
}

export interface AlertWork {
  /** Sends the alert that is due first. Null if none is due. */
  send(): Promise<AlertTry | null>;
}
