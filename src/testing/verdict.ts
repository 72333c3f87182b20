import { isDeepStrictEqual } from 'node:util';
import { PlatformError } from '../contract/index.js';
import { written } from './reference-host.js';

/** Raised by a check that does not apply to the definition, the platform or the simulator. The message contains the reason. */
export class Skipped extends Error {}

/** Raised by a check that fails. */
class Violation extends Error {}

export function must(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Violation(message);
}

export function mustEqual(found: unknown, expected: unknown, what: string): void {
  must(isDeepStrictEqual(found, expected), `${what}: expected ${short(expected)}, found ${short(found)}.`);
}

const MAX_LENGTH = 300;

function short(value: unknown): string {
  const text = written(value) ?? String(value);
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}

/** Resolves with the PlatformError of an attempt. Any other result is a violation. */
export async function mustFail(attempt: Promise<unknown>, what: string): Promise<PlatformError> {
  const outcome = await attempt.then(
    () => undefined,
    (error: unknown) => error,
  );
  must(outcome !== undefined, `${what}: expected an error.`);
  must(outcome instanceof PlatformError, `${what}: ${String(outcome)} is not a PlatformError.`);
  return outcome;
}

/** How long checks wait. It is set for each run. */
export const patience = { ms: 10_000 };
const STEP_MS = 10;

/** Whether the condition becomes true within the time. */
export async function became(condition: () => boolean, ms: number): Promise<boolean> {
  const deadline = Date.now() + ms;
  while (!condition()) {
    if (Date.now() >= deadline) return false;
    await pause(STEP_MS);
  }
  return true;
}

/** Waits until the condition is true. A timeout is a violation. */
export async function mustBecome(
  condition: () => boolean | Promise<boolean>,
  what: string,
  patienceMs = patience.ms,
): Promise<void> {
  const deadline = Date.now() + patienceMs;
  while (!(await condition())) {
    must(Date.now() < deadline, `${what}: not observed within ${patienceMs / 1000} s.`);
    await pause(STEP_MS);
  }
}

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Whether the promise settles in time. */
export async function settles(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const done = promise.then(
    () => true,
    () => true,
  );
  return Promise.race([done, late]).finally(() => clearTimeout(timer));
}
