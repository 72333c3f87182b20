import { Batcher } from '../../common/batcher.js';
import { untilBack } from '../../common/database-away.js';
import type { DeliveryStore } from '../ports.js';
import type { TaskResult } from '../task.js';

/** Maximum time for recording a result. It is below the duration of a lease, after which the delivery becomes uncertain. */
const TIMEOUT_MS = 20_000;
/** Time to wait for further results of concurrent writes. Recording a batch takes little longer than recording one result. */
const OTHERS_MS = 2;

interface Known {
  readonly result: TaskResult;
  readonly since: number;
}

/** How a result was recorded. */
export interface Recorded {
  /** When the record began, by `performance.now()`. */
  readonly startedAt: number;
  /** Whether the freed lane holds more work. */
  readonly more: boolean;
}

/** Records results in batches, one transaction at a time. Results that arrive during a transaction form the next batch. */
export class ResultBatcher {
  readonly #batcher: Batcher<Known, Recorded>;

  constructor(store: DeliveryStore, maxItems = 100, maxWaitMs = TIMEOUT_MS) {
    this.#batcher = new Batcher(
      async (group) => {
        const results = group.map(({ result }) => result);
        // The newest result of the batch has the most time left. The batcher repeats a failed batch one by one.
        const latest = Math.max(...group.map(({ since }) => since));
        const startedAt = performance.now();
        const more = await untilBack(() => store.settle(results), latest + maxWaitMs - startedAt);
        const lanes = new Set(more);
        return results.map((result) => ({ startedAt, more: lanes.has(result.link_id) }));
      },
      { maxItems, atOnce: 1 },
    );
  }

  /** Resolves when the result is committed. While other writes are in progress, waits `OTHERS_MS` for their results. */
  add(result: TaskResult, othersAreWritten = false): Promise<Recorded> {
    return this.#batcher.add({ result, since: performance.now() }, othersAreWritten ? OTHERS_MS : 0);
  }
}
