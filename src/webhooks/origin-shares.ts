import { FairShares } from '../core/shares/fair-shares.js';

/** Maximum number of concurrent attempts per origin. */
const AT_ONE_ORIGIN = 128;
/** An attempt that waits longer than this goes back to the queue. It is well below the lease. */
const TIMEOUT_MS = 10_000;

/**
 * Shares the attempts at one origin fairly between workspaces. Many workspaces have webhooks at the same host, and hanging
 * endpoints of one workspace must not block the others.
 */
export class OriginShares {
  readonly #origins = new Map<string, FairShares>();

  /** Resolves with undefined if there was no room in time. Nothing was sent then. */
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
