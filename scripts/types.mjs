// Checks the types of each TypeScript project. `npm run check:types`.
//
// TypeScript 7 needs 22 s of processor time for a fresh clone, and version 6 needs 50 s. Version 6 is the `typescript` of this
// repository, because programs that use its API, such as dependency-cruiser, do not support version 7.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const TSC = fileURLToPath(new URL('../node_modules/ts7/bin/tsc', import.meta.url));

for (const project of ['.', 'dashboard', 'docs/.vitepress']) {
  const { status } = spawnSync(process.execPath, [TSC, '--noEmit', '--project', project], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exitCode = 1;
}
