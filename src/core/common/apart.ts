import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Runs work that several callers share, as a batch or a loop: on behalf of none of them. Otherwise it would see only what the
 * caller sees that starts it.
 */
export const apart: <T>(work: () => T) => T = AsyncLocalStorage.snapshot();
