/** For how many days the installation keeps things, by its environment. */
export interface InstallationRetention {
  readonly envelopes: number;
  readonly attempts: number;
  /** Absent: until they are deleted. */
  readonly messages: number | undefined;
  readonly events: number;
}

/** For how many days a workspace keeps its messages; null: as long as the installation. */
export interface RetentionStore {
  find(workspaceId: string): Promise<number | null>;
  set(workspaceId: string, days: number | null): Promise<void>;
}
