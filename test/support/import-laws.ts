import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { cruise, type ICruiseResult, type IViolation } from 'dependency-cruiser';
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';

const CONFIG = resolve('.dependency-cruiser.cjs');

export interface Findings {
  violations: IViolation[];
  /** Names of all rules that were applied. */
  rules: string[];
}

/** Applies the import laws to the tree under `root`, as `npm run check:imports` does. */
export async function findLawBreakers(root: string): Promise<Findings> {
  const options = await extractOptions(CONFIG);
  const folders = ['src', 'adapters', 'dashboard'].filter((folder) => existsSync(join(root, folder)));
  const { output } = await cruise(folders, { ...options, baseDir: root, validate: true });
  const result = output as ICruiseResult;
  return {
    violations: result.summary.violations,
    rules: options.ruleSet?.forbidden?.map(({ name }) => name ?? '') ?? [],
  };
}
