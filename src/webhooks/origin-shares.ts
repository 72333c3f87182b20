import { FairShares } from '../core/shares/fair-shares.js';

/** Tries under way at one origin at once. */
const AT_ONE_ORIGIN = 128;
/** A try that finds no place in this time goes back to the queue. It is well below the lease. */
const TIMEOUT_MS = 10_000;

/**
 * Tries at one origin, in fair shares between workspaces: many workspaces have their webhooks at the same host, and the endpoints of one
 * that hang must not keep those of the others waiting.
 */
export class OriginShares {
  readonly #origins = new Map<string, FairShares>();

  /** Undefined: there was no place for it, and nothing was sent. */
  async try<Result>(
    workspaceId: string,
    url: string,
    work: () => Promise<Result>,
  ): Promise<Result | undefined> {
    const origin = URL.canParse(url) ? new URL(url).origin : url;
    const shares = this.#origins.get(origin) ?? new FairShares({ capacity: AT_ONE_ORIGIN });
    this.#origins.set(origin, shares);
    try {
      return await shares.within(workspaceId, work, TIMEOUT_MS);
    } finally {
      if (shares.keys === 0) this.#origins.delete(origin);
    }
  }
}
