import type { PlatformError } from '../../../src/contract/index.js';

/** One that ends sooner was two processes of the bridge, of which one took over from the other. */
const LASTS_MS = 30_000;
/** After so long without a refusal, which is more than two polls, it is over. */
const OVER_MS = 60_000;

/** Somebody else fetches the updates as well, or has them sent to a webhook. */
export const isConflict = ({ code }: PlatformError) => /^(?:http_)?409\b/.test(code ?? '');

/**
 * The quarrel with another program over the updates of a bot. Updates that come in between do not end it: while there is
 * much to fetch, each of two pollers gets some.
 */
export class PollConflict {
  #since = 0;
  #last = Number.NEGATIVE_INFINITY;

  /** Our poll was refused for it again. True: it is none that ends by itself. */
  lasts(now: number): boolean {
    if (now - this.#last >= OVER_MS) this.#since = now;
    this.#last = now;
    return now - this.#since >= LASTS_MS;
  }
}
