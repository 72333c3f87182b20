import type { PlatformError } from '../../../src/contract/index.js';

/** A shorter conflict comes from two processes of the bridge during a handover. */
const LASTS_MS = 30_000;
/** The conflict is over after this time without a refusal. It is longer than two polls. */
const OVER_MS = 60_000;

/** Whether another program polls with the same token or has set a webhook. */
export const isConflict = ({ code }: PlatformError) => /^(?:http_)?409\b/.test(code ?? '');

/**
 * Detects a lasting conflict with another program that polls with the same token. Updates that arrive in between do not
 * end the conflict: under load each of two pollers receives some.
 */
export class PollConflict {
  #since = 0;
  #last = Number.NEGATIVE_INFINITY;

  /** Records another refused poll. Returns true if the conflict lasts too long for a handover. */
  lasts(now: number): boolean {
    if (now - this.#last >= OVER_MS) this.#since = now;
    this.#last = now;
    return now - this.#since >= LASTS_MS;
  }
}
