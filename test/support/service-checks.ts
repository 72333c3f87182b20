import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));
const PROGRAM_SOURCES = new URL('../../dist/src/', import.meta.url);

declare module 'vitest' {
  interface ProvidedContext {
    /** The file in which the shared service records differences. */
    serviceProblems: string;
  }
}

/** The file in which the services that this process starts record differences. */
export const PROBLEMS = join(tmpdir(), `trunkline-result-problems-${process.pid}`);

let checker: string | undefined;

/** The Node flags and variables with which a service compares the results of database functions with their headers. */
export function resultChecks(): { readonly flags: string[]; readonly env: Record<string, string> } {
  checker ??= compileChecker();
  return {
    flags: ['--import', new URL('./check-service-results.mjs', import.meta.url).href],
    env: { TEST_RESULT_CHECKER: checker, TEST_RESULT_PROBLEMS: PROBLEMS },
  };
}

/** Takes the problems that this process's services, and the one with the file `shared`, recorded since the last call. */
export function takeProblems(shared: string | undefined): string[] {
  return [PROBLEMS, ...(shared === undefined ? [] : [shared])].flatMap(take);
}

/** A service opens the path for each line, so a renamed file is complete. */
function take(path: string): string[] {
  const taken = `${path}.${process.pid}.taken`;
  try {
    renameSync(path, taken);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  const lines = readFileSync(taken, 'utf8').trim().split('\n');
  rmSync(taken);
  return lines;
}

/** The checker as JavaScript. It imports the modules of the built program, so that it checks the calls of the service. */
function compileChecker(): string {
  const { outputFiles } = buildSync({
    entryPoints: [join(REPOSITORY, 'test/support/result-checker.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    external: ['../../src/*'],
    write: false,
  });
  const text = outputFiles[0]?.text ?? '';
  // Inside node_modules, so that its imports of packages resolve.
  const folder = join(REPOSITORY, 'node_modules', '.cache', 'trunkline-test');
  mkdirSync(folder, { recursive: true });
  // Checkouts that share node_modules have checkers of their own.
  const checkout = createHash('sha256').update(REPOSITORY).digest('hex').slice(0, 12);
  const file = join(folder, `result-checker-${checkout}.mjs`);
  // Several test processes write the same file.
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text.replaceAll('"../../src/', `"${PROGRAM_SOURCES.href}`));
  renameSync(draft, file);
  return file;
}
