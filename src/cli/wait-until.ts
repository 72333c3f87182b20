import { setTimeout as sleep } from 'node:timers/promises';

const CHECK_EVERY_MS = 50;
/** Time limit for something that may hang. A start on a busy machine may need a minute. */
const LIMIT_MS = 120_000;

/** Resolves with the first value of `probe` that is not undefined or false. After the time limit, resolves with undefined. */
export async function waitUntil<T>(
  probe: () => T | undefined | false | Promise<T | undefined | false>,
  limitMs = LIMIT_MS,
  everyMs = CHECK_EVERY_MS,
): Promise<T | undefined> {
  const endsAt = Date.now() + limitMs;
  for (;;) {
    const found = await probe();
    if (found !== undefined && found !== false) return found;
    if (Date.now() >= endsAt) return undefined;
    await sleep(everyMs);
  }
}

/** Waits until `fingerprint` has stayed the same for a while. Resolves with false when it never did. */
export async function waitUntilQuiet(
  fingerprint: () => string,
  quietMs = 1_000,
  limitMs = LIMIT_MS,
): Promise<boolean> {
  let last = fingerprint();
  let since = Date.now();
  const quiet = await waitUntil(() => {
    const present = fingerprint();
    if (present !== last) {
      last = present;
      since = Date.now();
    }
    return Date.now() - since >= quietMs;
  }, limitMs);
  return quiet === true;
}
