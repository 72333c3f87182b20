import { type LocalDispatcher, noDispatcher } from '../deliveries/dispatch/local-dispatcher.js';
import { FairShares } from '../shares/fair-shares.js';
import type { Audiences } from './audience.js';
import type { BroadcastState, BroadcastWork } from './ports.js';
import type { BroadcastStatus } from './states.js';

/** Recipients per transaction: large enough to be cheap per row, small enough that live traffic never waits long. */
export const CHUNK = 500;
/** The first ones are few, so that their platform has something to do while the next ones are put on their way. */
export const FIRST_CHUNK = 100;
/** So many are given at once to a connection of this process: as soon as it has room for them, it gets the next ones. */
const GIVEN_CHUNK = 240;
/** Steps under way at once in this process: workspaces take turns for them, in fair shares. */
const STEPS_UNDER_WAY = 4;
/** How often a waiting broadcast checks whether the process ends. */
const LOOK_MS = 1_000;
const CANCEL_CHUNK = 2_000;
/** Steps through pending recipients that a request waits for; the job does the rest. */
const STEPS_AT_ONCE = 5;

interface Step {
  readonly led: 'begun' | 'goes_on' | 'rests';
  readonly takers?: readonly string[];
}

/** The worker's side of a broadcast: step by step, wherever it was interrupted. */
export class RunBroadcast {
  readonly #turns = new FairShares({ capacity: STEPS_UNDER_WAY });
  readonly #running = new Map<string, { again: boolean }>();

  constructor(
    private readonly work: BroadcastWork,
    private readonly audiences: Audiences,
    private readonly senders: Pick<LocalDispatcher, 'awaitRoom'> = noDispatcher,
  ) {}

  /** Whether this process is at it: a reminder of it is for the process itself. */
  isCarryingOn(broadcastId: string): boolean {
    return this.#running.has(broadcastId);
  }

  /**
   * Does step after step while they lead on. A call while one runs makes that one look once more. Each step leaves a job
   * for the one after it, so nothing is lost with the process; the way through the queue is only longer.
   */
  async carryOn(broadcastId: string, signal: AbortSignal): Promise<void> {
    const current = this.#running.get(broadcastId);
    if (current !== undefined) {
      current.again = true;
      return;
    }
    const run = { again: true };
    this.#running.set(broadcastId, run);
    try {
      const workspaceId = (await this.work.find(broadcastId))?.workspaceId;
      if (workspaceId === undefined) return;
      let most = CHUNK;
      while (run.again && !signal.aborted) {
        const step = () => {
          run.again = false;
          return this.#step(broadcastId, most);
        };
        const done = await this.#turns.within(workspaceId, step, LOOK_MS);
        if (done === undefined) continue;
        const { led, takers = [] } = done;
        most = led === 'begun' ? FIRST_CHUNK : takers.length > 0 ? GIVEN_CHUNK : CHUNK;
        run.again ||= led !== 'rests';
        if (takers.length > 0) await this.#roomOf(takers);
      }
    } finally {
      this.#running.delete(broadcastId);
    }
  }

  #roomOf(takers: readonly string[]): Promise<void> {
    return Promise.race(takers.map((taker) => this.senders.awaitRoom(taker, GIVEN_CHUNK, LOOK_MS)));
  }

  /** Does the next step, if there is one; running twice does no harm. */
  async execute(broadcastId: string): Promise<void> {
    await this.#step(broadcastId, CHUNK);
  }

  /** Tells whether the step after it can be done at once, and which connections of this process took some of it. */
  async #step(broadcastId: string, most: number): Promise<Step> {
    const state = await this.work.find(broadcastId);
    switch (state?.status) {
      case 'scheduled':
      case 'preparing':
        return { led: (await this.prepare(state)) === 'sending' ? 'begun' : 'rests' };
      case 'sending':
      case 'paused':
      case 'on_hold': {
        const { sent, takers } = await this.work.sendChunk(broadcastId, most);
        return { led: sent > 0 ? 'goes_on' : 'rests', takers };
      }
      case 'canceling':
        await cancelAll(this.work, broadcastId);
        return { led: 'rests' };
      default:
        return { led: 'rests' };
    }
  }

  private async prepare(state: BroadcastState): Promise<BroadcastStatus | undefined> {
    const filters = await this.audiences.filtersOf(state.workspaceId, state.audience);
    const status = await this.work.prepare(state, filters);
    if (state.status === 'scheduled' && status === 'preparing') return this.work.prepare(state, filters);
    return status;
  }
}

/** Cancels the recipients that can still be canceled. Sends in flight finish. */
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
