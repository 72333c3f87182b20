/** Retention periods of the installation in days, from its environment. */
export interface InstallationRetention {
  readonly envelopes: number;
  readonly attempts: number;
  /** Absent: kept until they are deleted. */
  readonly messages: number | undefined;
  readonly events: number;
}

/** Retention period of a workspace's messages in days. Null: as long as the installation keeps them. */
export interface RetentionStore {
  find(workspaceId: string): Promise<number | null>;
  set(workspaceId: string, days: number | null): Promise<void>;
}
