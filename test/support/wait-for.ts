import { vi } from 'vitest';

/** It ends what hangs. A busy machine may need a hundred times as long as an idle one. */
export const PATIENCE_MS = 120_000;
const EVERY_MS = 20;

/** Resolves with what `check` answers once it no longer throws; fails with its last error. */
export function waitFor<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, OPTIONS);
}

/** Resolves with what `look` answers once that is true. */
export function waitUntil<T>(look: () => T | Promise<T>) {
  return vi.waitUntil(look, OPTIONS);
}

const OPTIONS = { timeout: PATIENCE_MS, interval: EVERY_MS };
