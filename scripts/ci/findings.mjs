/** How many lines of a failed command's output are repeated at the end. */
const LAST_LINES = 40;
const LINE_LENGTH = 400;

/**
 * The findings of the steps. The end of the output repeats all of them, because some readers see only the end.
 *
 * A check that fails and then passes alone is `unsteady`: it counts as passed, but is a defect of the product or of its test.
 */
export class Findings {
  passed = 0;
  failed = 0;
  /** The statuses of each test in all runs, by its file and name. */
  #tests = new Map();
  #said = [];

  pass(count = 1) {
    this.passed += count;
  }

  fail(what, output = '') {
    this.failed += 1;
    this.#say(`FAILED: ${what}`, output);
  }

  unsteady(what, output = '') {
    this.#say(`UNSTEADY: ${what}`, output);
  }

  /** The status of one test in one run: passed, failed, or one of vitest's words for skipped. */
  test(key, status) {
    this.#tests.set(key, [...(this.#tests.get(key) ?? []), status]);
    if (status === 'passed') this.passed += 1;
  }

  /** A test that no run executed counts as failed. A test with `root` in its name runs only as root. */
  checkSkipped() {
    for (const [key, statuses] of this.#tests) {
      const ran = statuses.some((status) => status === 'passed' || status === 'failed');
      if (ran || (process.getuid() !== 0 && /\broot\b/.test(key))) continue;
      this.failed += 1;
      this.#said.push(`SKIPPED: ${key}`);
    }
  }

  toString() {
    return [...this.#said, `${this.passed} passed, ${this.failed} failed`].join('\n');
  }

  #say(line, output) {
    const last = output.trimEnd().split('\n').slice(-LAST_LINES);
    this.#said.push(line, ...last.filter(Boolean).map((one) => `  ${one.slice(0, LINE_LENGTH)}`));
  }
}
