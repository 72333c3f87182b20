import type { BroadcastState, BroadcastWork } from '../ports/broadcasts.js';
import type { Audiences } from './audience.js';

/** Recipients per transaction: large enough to be cheap per row, small enough that live traffic never waits long. */
const CHUNK = 500;
const CANCEL_CHUNK = 2_000;
/** Steps through pending recipients that a request waits for; the job does the rest. */
const STEPS_AT_ONCE = 5;

/** The worker's side of a broadcast: one step per job, wherever it was interrupted. */
export class RunBroadcast {
  constructor(
    private readonly work: BroadcastWork,
    private readonly audiences: Audiences,
  ) {}

  /** Does the next step, if there is one. A step leaves a job for the step after it; running twice does no harm. */
  async execute(broadcastId: string): Promise<void> {
    const state = await this.work.find(broadcastId);
    switch (state?.status) {
      case 'scheduled':
      case 'preparing':
        await this.prepare(state);
        return;
      case 'sending':
      case 'paused':
      case 'on_hold':
        await this.work.sendChunk(broadcastId, CHUNK);
        return;
      case 'canceling':
        await cancelAll(this.work, broadcastId);
        return;
      default:
        return;
    }
  }

  private async prepare(state: BroadcastState): Promise<void> {
    const filters = await this.audiences.filtersOf(state.workspaceId, state.audience);
    const status = await this.work.prepare(state, filters);
    if (state.status === 'scheduled' && status === 'preparing') await this.work.prepare(state, filters);
  }
}

/** Cancels whoever can still be canceled. Sends in flight finish. */
export async function cancelAll(work: BroadcastWork, id: string): Promise<void> {
  while ((await work.cancelStep(id, CANCEL_CHUNK)) !== 'none');
}

/** Cancels every send that is queued, and so many of the pending as a request may wait for: no further send begins. */
export async function cancelQueued(work: BroadcastWork, id: string): Promise<void> {
  for (let steps = 0; steps < STEPS_AT_ONCE; steps += 1) {
    let canceled = await work.cancelStep(id, CANCEL_CHUNK);
    while (canceled === 'queued') canceled = await work.cancelStep(id, CANCEL_CHUNK);
    if (canceled === 'none') return;
  }
}

/** Holds every send that is queued. */
export async function holdAll(work: BroadcastWork, id: string): Promise<void> {
  while ((await work.hold(id, CANCEL_CHUNK)) > 0);
}
