import { untilBack } from '../database-away.js';
import { Gathering } from '../gathering.js';
import type { DeliveryStore } from '../ports/deliveries.js';
import type { TaskResult } from './task.js';

/** What a platform answered is known here alone until it is recorded; below the length of a lease, after which it is doubted. */
const PATIENCE_MS = 20_000;

/** Groups results that end at the same time into one transaction: while one is under way, the next ones gather. */
export class Settlements {
  readonly #gathering: Gathering<TaskResult, undefined>;

  constructor(store: DeliveryStore, most = 100) {
    this.#gathering = new Gathering(
      async (results) => {
        await untilBack(() => store.settle(results), PATIENCE_MS);
        return results.map(() => undefined);
      },
      { most, atOnce: 1 },
    );
  }

  /** Resolves once the result is committed. */
  add(result: TaskResult): Promise<void> {
    return this.#gathering.add(result);
  }
}
