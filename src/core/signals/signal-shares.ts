import { FairShares } from '../shares/fair-shares.js';

/** Maximum number of reactions and typing indicators that this process sends at once. */
export const SIGNALS_AT_ONCE = 100;

/** Divides the calls for reactions and typing indicators fairly between workspaces, because a platform that hangs keeps its calls. */
export class SignalShares {
  readonly #shares = new FairShares({ capacity: SIGNALS_AT_ONCE });

  /** Runs `work` if the workspace may have another call now. Signals never wait: a new one, or the sweeper, follows soon. */
  async try(workspaceId: string, work: () => Promise<void>): Promise<void> {
    if (!this.#shares.tryTake(workspaceId)) return;
    try {
      await work();
    } finally {
      this.#shares.release(workspaceId);
    }
  }
}
