import { afterAll, inject } from 'vitest';
import { checkResults } from './result-checker.js';
import { takeProblems } from './service-checks.js';

/**
 * A vitest setup file. A test file fails if a result of a database function differed from its header, in this process, in a
 * service that the file started, or in the shared service.
 */

const problems = new Set<string>();
checkResults((problem) => problems.add(problem));

afterAll(() => {
  const found = [...problems, ...takeProblems(inject('serviceProblems'))];
  problems.clear();
  if (found.length > 0) throw new Error(`Results differ from their headers:\n${found.join('\n')}`);
});
