/** Subfolders that an adapter may have. Every adapter uses the same names. */
const FOLDERS = ['client', 'directory', 'inbound', 'ingress', 'outbound', 'simulator'];
const MAX_LOOSE_FILES = 8;

/** Violations of the folder layout of adapters. `paths` are relative to `adapters/`, with slashes. */
export function misplacedInAdapters(paths: readonly string[]): string[] {
  const looseFiles = new Map<string, number>();
  const foreignFolders = new Set<string>();
  for (const [adapter, entry, ...below] of paths.map((path) => path.split('/'))) {
    if (adapter === undefined || entry === undefined) continue;
    if (below.length === 0) looseFiles.set(adapter, (looseFiles.get(adapter) ?? 0) + 1);
    else if (!FOLDERS.includes(entry)) foreignFolders.add(`${adapter}/${entry}/`);
  }
  const crowded = [...looseFiles].filter(([, count]) => count > MAX_LOOSE_FILES);
  return [...crowded.map(([adapter, count]) => `${adapter}/ (${count} loose files)`), ...foreignFolders];
}
