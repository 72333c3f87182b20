import { type LocalDispatcher, noDispatcher } from '../deliveries/dispatch/local-dispatcher.js';
import { FairShares } from '../shares/fair-shares.js';
import type { Audiences } from './audience.js';
import type { BroadcastState, BroadcastWork } from './ports.js';
import type { BroadcastStatus } from './states.js';

/** Recipients per transaction. Large enough to be cheap per row, small enough that other traffic does not wait long. */
export const CHUNK = 500;
/** The first batch is small, so that the platforms have work while the next one is stored. */
export const FIRST_CHUNK = 100;
/** Recipients that a connection of this process gets at once. It gets the next batch when it has capacity for one. */
const LOCAL_CHUNK = 240;
/** Steps that run at once in this process. Workspaces share them fairly. */
const CONCURRENT_STEPS = 4;
/** How often a waiting broadcast checks whether the process ends. */
const POLL_MS = 1_000;
const CANCEL_CHUNK = 2_000;
/** Steps through pending recipients that a request waits for. The job does the rest. */
const STEPS_PER_REQUEST = 5;

interface Step {
  /** The next step: the first batch, another batch, or nothing until the next event. */
  readonly next: 'first_batch' | 'batch' | 'nothing';
  /** Connections of this process that got some of the batch. */
  readonly connections?: readonly string[];
}

/** Runs a broadcast in the worker, step by step. A broadcast that was interrupted continues where it stopped. */
export class RunBroadcast {
  readonly #shares = new FairShares({ capacity: CONCURRENT_STEPS });
  readonly #running = new Map<string, { again: boolean }>();

  constructor(
    private readonly work: BroadcastWork,
    private readonly audiences: Audiences,
    private readonly dispatcher: Pick<LocalDispatcher, 'awaitCapacity'> = noDispatcher,
  ) {}

  /** Whether this process runs the broadcast. */
  isRunning(broadcastId: string): boolean {
    return this.#running.has(broadcastId);
  }

  /**
   * Runs steps until no work is left. A call during a run makes the run check once more. Each step stores a job for the
   * next one, so that another process continues when this one ends.
   */
  async run(broadcastId: string, signal: AbortSignal): Promise<void> {
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
      let size = CHUNK;
      while (run.again && !signal.aborted) {
        const step = () => {
          run.again = false;
          return this.#step(broadcastId, size);
        };
        const done = await this.#shares.within(workspaceId, step, POLL_MS);
        if (done === undefined) continue;
        const { next, connections = [] } = done;
        size = next === 'first_batch' ? FIRST_CHUNK : connections.length > 0 ? LOCAL_CHUNK : CHUNK;
        run.again ||= next !== 'nothing';
        if (connections.length > 0) await this.#awaitCapacity(connections);
      }
    } finally {
      this.#running.delete(broadcastId);
    }
  }

  #awaitCapacity(connections: readonly string[]): Promise<void> {
    return Promise.race(connections.map((id) => this.dispatcher.awaitCapacity(id, LOCAL_CHUNK, POLL_MS)));
  }

  /** Runs the next step, if there is one. It is safe to run it twice. */
  async execute(broadcastId: string): Promise<void> {
    await this.#step(broadcastId, CHUNK);
  }

  async #step(broadcastId: string, size: number): Promise<Step> {
    const state = await this.work.find(broadcastId);
    switch (state?.status) {
      case 'scheduled':
      case 'preparing':
        return { next: (await this.prepare(state)) === 'sending' ? 'first_batch' : 'nothing' };
      case 'sending':
      case 'paused':
      case 'on_hold': {
        const { sent, connections } = await this.work.sendChunk(broadcastId, size);
        return { next: sent > 0 ? 'batch' : 'nothing', connections };
      }
      case 'canceling':
        await cancelAll(this.work, broadcastId);
        return { next: 'nothing' };
      default:
        return { next: 'nothing' };
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

/**
 * Cancels all queued sends, and a limited number of pending recipients, because a request waits for it. No further send
 * starts.
 */
export async function cancelQueued(work: BroadcastWork, id: string): Promise<void> {
  for (let steps = 0; steps < STEPS_PER_REQUEST; steps += 1) {
    let canceled = await work.cancelStep(id, CANCEL_CHUNK);
    while (canceled === 'queued') canceled = await work.cancelStep(id, CANCEL_CHUNK);
    if (canceled === 'none') return;
  }
}

/** Holds all queued sends. */
export async function holdAll(work: BroadcastWork, id: string): Promise<void> {
  while ((await work.hold(id, CANCEL_CHUNK)) > 0);
}
