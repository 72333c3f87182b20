import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const project = (name: string, options: Record<string, unknown> = {}) => ({
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    // Far above what a test takes, since a busy machine needs many times as long.
    testTimeout: 180_000,
    hookTimeout: 300_000,
    // The default is one second, which a busy machine needs for less.
    expect: { poll: { timeout: 30_000, interval: 50 } },
    ...options,
  },
});

/** One PostgreSQL for all of a run that need one. */
const database = { globalSetup: ['test/support/global-postgres.ts'] };
/** The same, and one service. */
const service = {
  globalSetup: [...database.globalSetup, 'test/support/global-service.ts'],
};
/** Each result of a database function is compared with the header of the function, in services that tests start as well. */
const checkedResults = { setupFiles: ['test/support/check-call-results.ts'] };

// Files of a worker share what they import, since much of the time went into imports. What a module keeps, such as the clock of
// the process, is a thing that tests have to live with or put back.
const sharing = { isolate: false };

/** The examples and the fossils import the program by its name, as packages do. */
const examplesImport = [
  { find: /^trunkline$/, replacement: fileURLToPath(new URL('src/contract/index.ts', import.meta.url)) },
];

export default defineConfig({
  test: {
    // Most files wait for servers more than they compute.
    maxWorkers: 3,
    projects: [
      project('unit', {
        ...sharing,
        alias: examplesImport,
        include: ['test/unit/**/*.test.ts', 'test/*.test.ts', 'dashboard/src/**/*.test.ts'],
      }),
      project('contract', { ...sharing, ...database, ...checkedResults, alias: examplesImport }),
      project('integration', { ...sharing, ...database, ...checkedResults }),
      project('e2e', { ...sharing, ...checkedResults, ...service }),
      project('long', { ...sharing, ...checkedResults, ...service, alias: examplesImport }),
      project('roles', { ...database, ...checkedResults }),
      project('browser', { ...sharing, ...checkedResults, ...service }),
    ],
  },
});
