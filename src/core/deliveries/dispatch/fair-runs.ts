import { clock } from '../../../contract/clock.js';
import { FairShares } from '../../shares/fair-shares.js';
import type { DeliveryWorker } from '../delivery-worker.js';
import type { SendingConnections, WakeUps } from '../ports.js';

/** Maximum number of connections for which this process sends or looks up at once. */
export const RUNS_AT_ONCE = 200;
/** A connection without a share is tried again after this time. */
const AGAIN_MS = 1_000;

/**
 * Divides the runs of connections fairly between workspaces. A platform that hangs keeps the run of its connection busy, so the
 * connections of one workspace must not take all runs.
 */
export class FairRuns {
  readonly #shares = new FairShares({ capacity: RUNS_AT_ONCE });

  constructor(
    private readonly deliver: DeliveryWorker,
    private readonly connections: SendingConnections,
    private readonly wakeUps: WakeUps,
  ) {}

  async run(connectionId: string, isHandoff: boolean, signal: AbortSignal): Promise<void> {
    const run = () =>
      isHandoff ? this.deliver.runHandoff(connectionId, signal) : this.deliver.run(connectionId, signal);
    // A run in progress is only notified of more work.
    if (this.deliver.isRunning(connectionId)) return run();
    const workspaceId = this.connections.find(connectionId)?.workspaceId ?? '';
    if (!this.#shares.tryTake(workspaceId)) return this.#putOff(connectionId);
    try {
      await run();
    } finally {
      this.#shares.release(workspaceId);
    }
  }

  async #putOff(connectionId: string): Promise<void> {
    await this.deliver.releaseHandoff(connectionId);
    await this.wakeUps.wakeConnection(connectionId, new Date(clock.now() + AGAIN_MS));
  }
}
