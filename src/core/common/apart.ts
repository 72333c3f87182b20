import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Runs work that several callers share, such as a batch or a loop, outside the context of any caller. Otherwise the
 * work would only see the records that its first caller may see.
 */
export const apart: <T>(work: () => T) => T = AsyncLocalStorage.snapshot();
