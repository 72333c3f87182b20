import type { HomeFigures } from './record.js';

export interface HomeStore {
  /** What the first screen shows of a workspace. Every count ends at a limit. */
  figures(workspaceId: string): Promise<HomeFigures>;
}
