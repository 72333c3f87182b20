// Preloaded by node --import into the services that tests start: compares the results of database functions with their headers, and
// appends what differs, a line each, to the file that TEST_RESULT_PROBLEMS names. service-checks.ts sets both variables.
import { appendFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const { TEST_RESULT_CHECKER: checker, TEST_RESULT_PROBLEMS: problems } = process.env;

// Threads of the service, such as the watchdog's, are given the preload as well.
if (isMainThread) {
  // The checker imports the program, which has to be built before.
  const { buildProgram } = await import('../../scripts/build.mjs');
  await buildProgram();
  const { checkResults } = await import(checker);
  checkResults((problem) => appendFileSync(problems, `${problem}\n`));
}
