import { untilBack } from '../database-away.js';
import { Gathering } from '../gathering.js';
import type { DeliveryStore } from '../ports/deliveries.js';
import type { TaskResult } from './task.js';

/** What a platform answered is known here alone until it is recorded; below the length of a lease, after which it is doubted. */
const PATIENCE_MS = 20_000;

interface Known {
  readonly result: TaskResult;
  readonly since: number;
}

/** Groups results that end at the same time into one transaction: while one is under way, the next ones gather. */
export class Settlements {
  readonly #gathering: Gathering<Known, undefined>;

  constructor(store: DeliveryStore, most = 100, patienceMs = PATIENCE_MS) {
    this.#gathering = new Gathering(
      async (group) => {
        const results = group.map(({ result }) => result);
        // Each has its time once: a group that failed is recorded again one by one.
        const latest = Math.max(...group.map(({ since }) => since));
        await untilBack(() => store.settle(results), latest + patienceMs - performance.now());
        return results.map(() => undefined);
      },
      { most, atOnce: 1 },
    );
  }

  /** Resolves once the result is committed. */
  add(result: TaskResult): Promise<void> {
    return this.#gathering.add({ result, since: performance.now() });
  }
}
