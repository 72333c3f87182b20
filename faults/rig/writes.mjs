import { sleep } from './waiting.mjs';

/** Time for the statements of a killed process that the database still executes. */
const STATEMENTS_MS = 100;

/**
 * The writes that were in progress in the store at the faults of a run. The writes of a killed process stay in progress until its
 * lease ends, which later faults see again. Each write therefore counts once: it is an attempt of a delivery.
 */
export class Writes {
  #rig;
  #seen = new Set();

  constructor(rig) {
    this.#rig = rig;
  }

  /** Records the writes that are in progress now. */
  async record() {
    await sleep(STATEMENTS_MS);
    const rows = await this.#rig.query(`SELECT id, attempt_count FROM deliveries WHERE status = 'sending'`);
    for (const { id, attempt_count: attempt } of rows) this.#seen.add(`${id} ${attempt}`);
  }

  /** Number of recorded writes. */
  get inFlight() {
    return this.#seen.size;
  }
}
