/** The conversation that gets alerts; null: none. */
export interface StaffChatRecord {
  readonly conversation_number: number | null;
  readonly title: string | null;
}

/** The conversation in which a workspace gets alerts. */
export interface StaffChatStore {
  /** A deleted conversation counts as none. */
  find(workspaceId: string): Promise<StaffChatRecord>;
  /** False: the conversation does not exist. */
  set(workspaceId: string, userId: string, conversationNumber: number | null): Promise<boolean>;
}

export interface AlertWork {
  /** Sends one alert. Answers whether there was one. */
  send(): Promise<boolean>;
}
