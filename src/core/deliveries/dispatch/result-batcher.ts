import { Batcher } from '../../common/batcher.js';
import { untilBack } from '../../common/database-away.js';
import type { DeliveryStore } from '../ports.js';
import type { TaskResult } from '../task.js';

/** What a platform answered is known here alone until it is recorded; below the length of a lease, after which it is doubted. */
const PATIENCE_MS = 20_000;
/** Chats that are written to together answer within so long of one another, and one record of all takes hardly longer than one of one. */
const OTHERS_MS = 2;

interface Known {
  readonly result: TaskResult;
  readonly since: number;
}

/** How a result was recorded. */
export interface Recorded {
  /** By the clock of `performance`, from before it was begun. */
  readonly startedAt: number;
  /** The lane that it freed holds more work. */
  readonly more: boolean;
}

/** Groups results that end at the same time into one transaction: while one is under way, the next ones gather. */
export class ResultBatcher {
  readonly #gathering: Batcher<Known, Recorded>;

  constructor(store: DeliveryStore, most = 100, patienceMs = PATIENCE_MS) {
    this.#gathering = new Batcher(
      async (group) => {
        const results = group.map(({ result }) => result);
        // Each has its time once: a group that failed is recorded again one by one.
        const latest = Math.max(...group.map(({ since }) => since));
        const startedAt = performance.now();
        const more = await untilBack(() => store.settle(results), latest + patienceMs - startedAt);
        const lanes = new Set(more);
        return results.map((result) => ({ startedAt, more: lanes.has(result.link_id) }));
      },
      { most, atOnce: 1 },
    );
  }

  /** Resolves once the result is committed. While others are being written, they are given a moment to be recorded with it. */
  add(result: TaskResult, othersAreWritten = false): Promise<Recorded> {
    return this.#gathering.add({ result, since: performance.now() }, othersAreWritten ? OTHERS_MS : 0);
  }
}
