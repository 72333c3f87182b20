import { vi } from 'vitest';

/** Ends a hanging test. A busy machine may need a hundred times as long as an idle one. */
export const PATIENCE_MS = 120_000;
const EVERY_MS = 20;

/** Resolves with the result of `check` once it no longer throws. Fails with its last error. */
export function waitFor<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, OPTIONS);
}

/** Resolves with the result of `look` once it is truthy. */
export function waitUntil<T>(look: () => T | Promise<T>) {
  return vi.waitUntil(look, OPTIONS);
}

const OPTIONS = { timeout: PATIENCE_MS, interval: EVERY_MS };
