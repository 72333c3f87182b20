import { checks } from './checks/index.js';
import type { AnyKit, ConformanceKit, ConformanceOptions } from './kit.js';
import type { CheckResult, ConformanceReport } from './report.js';
import { type Check, Stage } from './stage.js';
import { Skipped } from './verdict.js';

/** Tests an adapter against the contract: runs the checks in sequence and reports the result of each. Registers no tests. */
export async function conformance<Credentials, Settings>(
  kit: ConformanceKit<Credentials, Settings>,
  options: ConformanceOptions = {},
): Promise<ConformanceReport> {
  const results: CheckResult[] = [];
  for (const check of chosen(options)) {
    const result = await runCheck(check, kit as unknown as AnyKit, options);
    options.onResult?.(result);
    results.push(result);
  }
  return {
    name: nameOf(kit),
    version: kit.definition.version,
    contractVersion: kit.definition.contractVersion,
    passed: results.every(({ outcome }) => outcome !== 'fail'),
    unproved: results.flatMap(({ unproved = [] }) => unproved),
    results,
  };
}

/** The parts of a test runner that `describeConformance` uses. vitest, jest, mocha and node:test have them. */
export interface TestRunner {
  describe(name: string, body: () => void): unknown;
  /** The runner may pass a context with `skip(reason)` to a test, as vitest and node:test do. */
  it(name: string, body: (context?: unknown) => Promise<void>, timeoutMs?: number): unknown;
}

const TEST_LIMIT_MS = 120_000;

/** Registers one test per check. A test fails with the violation, or is skipped with its reason. */
export function describeConformance<Credentials, Settings>(
  kit: ConformanceKit<Credentials, Settings>,
  { describe, it }: TestRunner,
  options: ConformanceOptions = {},
): void {
  describe(`conformance of ${nameOf(kit)}`, () => {
    for (const check of chosen(options))
      it(
        `${check.number}. ${check.title}`,
        async (context) => {
          const result = await runCheck(check, kit as unknown as AnyKit, options);
          options.onResult?.(result);
          if (result.outcome === 'fail') throw new Error(result.detail);
          if (result.outcome === 'skipped') skip(context, result.detail);
        },
        TEST_LIMIT_MS,
      );
  });
}

/** Marks a test as skipped, if the runner supports it. */
function skip(context: unknown, reason: string | undefined): void {
  if (typeof context !== 'object' || context === null || !('skip' in context)) return;
  if (typeof context.skip === 'function') context.skip(reason);
}

const nameOf = <C, S>({ name, definition }: ConformanceKit<C, S>) => name ?? definition.platform;

const chosen = ({ only }: ConformanceOptions) =>
  checks.filter(({ number }) => only === undefined || only.includes(number));

async function runCheck(check: Check, kit: AnyKit, options: ConformanceOptions): Promise<CheckResult> {
  const { number, title } = check;
  const stage = new Stage(kit, options);
  try {
    const detail = await check.run(stage);
    stage.mustHaveUsedItsHost();
    return {
      number,
      title,
      outcome: 'pass',
      ...(detail === undefined ? {} : { detail }),
      ...unprovedOf(stage),
    };
  } catch (error) {
    const outcome = error instanceof Skipped ? 'skipped' : 'fail';
    return { number, title, outcome, detail: reasonOf(error), ...unprovedOf(stage) };
  } finally {
    await stage.close();
  }
}

const unprovedOf = ({ cells }: Stage): Pick<CheckResult, 'unproved'> =>
  cells.length === 0 ? {} : { unproved: cells };

/** The message of the innermost error. Property tests wrap the error that they found. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return `${reasonOf(error.cause)} (${error.message.split('\n')[0]})`;
  return error.message;
}
