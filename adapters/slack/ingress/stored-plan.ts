import { type AdapterHost, clock } from '../../../src/contract/index.js';
import { changeState } from '../stored-state.js';
import { type Plan, parsePlan, withBoth } from './backfill-plan.js';

const PLAN = 'history-plan';

/**
 * The plan of a connection, in memory and as a saved state. A process that has just lost the lease of the connection may still
 * run. Therefore a process replaces only the text that it knows, and a gap that either process knows stays in the plan.
 */
export class StoredPlan {
  readonly #host: AdapterHost;
  readonly #onMerge: () => void;
  #plan: Plan | undefined;
  /** The saved text as this process last read or wrote it. */
  #text: string | undefined;
  #savedAt = 0;

  /** `onMerge` is called when the plan has gaps that another process added. */
  constructor(host: AdapterHost, onMerge: () => void) {
    this.#host = host;
    this.#onMerge = onMerge;
  }

  /** Undefined before `begin` and after `end`. */
  get plan(): Plan | undefined {
    return this.#plan;
  }

  /** Replaces the saved plan by the one that `next` makes of its text. Resolves with the text that it replaced. */
  async begin(next: (text: string | undefined) => Plan): Promise<string | undefined> {
    let former: string | undefined;
    let plan: Plan | undefined;
    await changeState(this.#host, PLAN, (text) => {
      former = text;
      plan = next(text);
      this.#text = JSON.stringify(plan);
      return this.#text;
    });
    this.#plan = plan;
    this.#savedAt = clock.now();
    return former;
  }

  /** This process does not work on the plan any more. */
  end(): void {
    this.#plan = undefined;
  }

  /**
   * Changes the plan, and saves it unless it was saved less than `everyMs` ago. If another process has changed the saved
   * plan, both are merged. If the saved plan is that of another bot user, this process has no plan any more.
   */
  async save(plan: Plan, everyMs = 0): Promise<void> {
    this.#plan = plan;
    if (clock.now() - this.#savedAt < everyMs) return;
    this.#savedAt = clock.now();
    let saved = this.#text;
    await changeState(this.#host, PLAN, (text) => {
      if (text !== this.#text) this.#merge(parsePlan(text));
      this.#text = text;
      saved = this.#plan === undefined ? text : JSON.stringify(this.#plan);
      return this.#plan === undefined ? undefined : saved;
    });
    this.#text = saved;
  }

  #merge(other: Plan | undefined): void {
    if (other === undefined || this.#plan === undefined) return;
    this.#plan = other.user === this.#plan.user ? withBoth(this.#plan, other) : undefined;
    this.#onMerge();
  }
}
