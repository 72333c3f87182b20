import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const project = (name: string, options: Record<string, unknown> = {}) => ({
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    // Far above the duration of any test, because a busy machine needs many times as long.
    testTimeout: 180_000,
    hookTimeout: 300_000,
    // The default of one second is too short for a busy machine.
    expect: { poll: { timeout: 30_000, interval: 50 } },
    ...options,
  },
});

/** One PostgreSQL per run, shared by all files that need one. */
const database = { globalSetup: ['test/support/global-postgres.ts'] };
/** The same, with one service. */
const service = {
  globalSetup: [...database.globalSetup, 'test/support/global-service.ts'],
};
/** Compares each result of a database function with the function's header, also in services that tests start. */
const checkedResults = { setupFiles: ['test/support/check-call-results.ts'] };

// The files of a worker share their imported modules, because imports took much of the time. Tests must restore module state that
// they change, such as the clock of the process.
const sharing = { isolate: false };

/** The examples and the fossils import the program by its package name. */
const examplesImport = [
  { find: /^trunkline$/, replacement: fileURLToPath(new URL('src/contract/index.ts', import.meta.url)) },
];

/** How many files of a project run at once. Vitest runs projects with different numbers in the given order, not at once. */
const workers = (maxWorkers: number, groupOrder: number) => ({ maxWorkers, sequence: { groupOrder } });
/** Files that mostly wait for servers. Fewer workers would leave a third of two processors unused. */
const waiting = workers(6, 0);
/** Files that mostly compute, here or in the database. Each worker imports all modules, so that more workers cost time. */
const computing = workers(3, 1);
/** Files that start many processes. */
const starting = workers(4, 2);

export default defineConfig({
  test: {
    projects: [
      project('unit', {
        ...sharing,
        ...computing,
        alias: examplesImport,
        include: ['test/unit/**/*.test.ts', 'test/*.test.ts', 'dashboard/src/**/*.test.ts'],
      }),
      project('contract', { ...sharing, ...waiting, ...database, ...checkedResults, alias: examplesImport }),
      project('integration', { ...sharing, ...computing, ...database, ...checkedResults }),
      project('e2e', { ...sharing, ...waiting, ...checkedResults, ...service }),
      project('long', { ...sharing, ...starting, ...checkedResults, ...service, alias: examplesImport }),
      project('roles', { ...starting, ...database, ...checkedResults }),
      project('browser', { ...sharing, ...checkedResults, ...service }),
    ],
  },
});
