import { CONTRACT_VERSION } from '../contract/index.js';
import { checks } from './checks/index.js';
import type { AnyKit, ConformanceKit, ConformanceOptions } from './kit.js';
import type { CheckResult, ConformanceReport } from './report.js';
import { type Check, Stage } from './stage.js';
import { NotApplicable } from './verdict.js';

/** Holds an adapter to the contract: runs the checks one after the other and tells how each ended. Registers nothing. */
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
    contractVersion: CONTRACT_VERSION,
    passed: results.every(({ outcome }) => outcome !== 'fail'),
    results,
  };
}

/** The parts of a test runner that `describeConformance` uses; those of vitest, jest, mocha and node:test fit. */
export interface TestRunner {
  describe(name: string, body: () => void): unknown;
  it(name: string, body: () => Promise<void>, timeoutMs?: number): unknown;
}

const TEST_LIMIT_MS = 120_000;

/** One test per check that applies to the adapter, each failing with the reason of the violation. */
export function describeConformance<Credentials, Settings>(
  kit: ConformanceKit<Credentials, Settings>,
  { describe, it }: TestRunner,
  options: ConformanceOptions = {},
): void {
  describe(`conformance of ${nameOf(kit)}`, () => {
    for (const check of chosen(options))
      it(
        `${check.number}. ${check.title}`,
        async () => {
          const result = await runCheck(check, kit as unknown as AnyKit, options);
          options.onResult?.(result);
          if (result.outcome === 'fail') throw new Error(result.detail);
        },
        TEST_LIMIT_MS,
      );
  });
}

const nameOf = <C, S>({ name, definition }: ConformanceKit<C, S>) => name ?? definition.platform;

const chosen = ({ only }: ConformanceOptions) =>
  checks.filter(({ number }) => only === undefined || only.includes(number));

async function runCheck(check: Check, kit: AnyKit, options: ConformanceOptions): Promise<CheckResult> {
  const { number, title } = check;
  const stage = new Stage(kit, options);
  try {
    const detail = await check.run(stage);
    return { number, title, outcome: 'pass', ...(detail === undefined ? {} : { detail }) };
  } catch (error) {
    const outcome = error instanceof NotApplicable ? 'not_applicable' : 'fail';
    return { number, title, outcome, detail: reasonOf(error) };
  } finally {
    await stage.close();
  }
}

/** Properties wrap what they found; the innermost sentence says it. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return `${reasonOf(error.cause)} (${error.message.split('\n')[0]})`;
  return error.message;
}
