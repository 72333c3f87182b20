import type { HomeFigures } from './record.js';

export interface HomeStore {
  /** The figures of the first screen for a workspace. Every count has a limit. */
  figures(workspaceId: string): Promise<HomeFigures>;
}
