/** Decides when a dispatcher claims due work from the database. Tracks what may have become due since the last claim. */
export class ClaimSchedule {
  /** Another claim was requested. */
  again: boolean;
  /** The next claim was requested by a queue job or a timer, and not only because a slot became free. */
  reminded: boolean;
  /** There may be due work that is not leased yet. */
  due: boolean;
  /** The time of the last claim or of the last call of `expect`, by `performance.now()`. 0: there was none. */
  claimedAt = 0;
  #wake: () => void = () => undefined;

  constructor(isReminded: boolean) {
    this.again = isReminded;
    this.reminded = isReminded;
    this.due = isReminded;
  }

  /** Requests a claim now. */
  remind(): void {
    this.again = true;
    this.#remind();
    this.#wake();
  }

  /** Ends the wait of the dispatcher. */
  readonly wake = (): void => this.#wake();

  /**
   * Call it when work waits in lanes that the dispatcher holds. Results recorded from now on report this work. A result
   * that is being recorded may have read the lane earlier, so the dispatcher claims once more after it.
   */
  expect(): void {
    this.claimedAt = Math.max(this.claimedAt, performance.now());
  }

  /** Runs a claim. A result whose recording began before the end of the claim may free its lane too late for this claim. */
  async claiming<Found>(claim: () => Promise<Found>): Promise<Found> {
    this.due = false;
    this.claimedAt = Number.POSITIVE_INFINITY;
    try {
      return await claim();
    } finally {
      this.claimedAt = performance.now();
    }
  }

  /** Call it when a result is recorded. `startedAt`: when its recording began. `more`: its lane holds more work. */
  recorded(startedAt: number, more: boolean): void {
    if (more || startedAt <= this.claimedAt) this.due = true;
  }

  /** Resolves when something changed, or after `limitMs`, which then requests a claim. */
  async change(limitMs: number | undefined): Promise<void> {
    if (this.reminded) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      if (limitMs === undefined) return;
      timer = setTimeout(() => {
        this.#remind();
        resolve();
      }, limitMs);
    });
    clearTimeout(timer);
    this.#wake = () => undefined;
  }

  #remind(): void {
    this.reminded = true;
    this.due = true;
  }
}
