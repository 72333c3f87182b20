import type { LastLook } from './last-look.js';
import type { Openings } from './openings.js';
import { Slots } from './slots.js';

/** The run that is under way for a connection: what it has in hand, and what ends its wait. */
export class Round {
  readonly slots: Slots;
  /** Somebody asked for another look. */
  again = true;
  /** The next look has a reason of its own, not only the room that was made. */
  reminded = true;
  /** Tasks that are leased and not recorded yet. */
  underWay = 0;
  /** Those among them that wait for their first write. */
  awaiting = 0;
  /** Tasks that were recorded. */
  ended = 0;
  /** How long the latest write took. */
  writeMs = 0;
  /** Below so many that wait, more are leased. */
  refillAt = 0;
  #wake: () => void = () => undefined;

  constructor(
    readonly inFlight: number,
    readonly look: LastLook,
    readonly openings: Openings,
  ) {
    this.slots = new Slots(inFlight);
  }

  remind(): void {
    this.again = true;
    this.reminded = true;
    this.#wake();
  }

  leased(tasks: number): void {
    this.underWay += tasks;
    this.awaiting += tasks;
  }

  /** A task makes its first write, or has ended without one. */
  began(): void {
    this.awaiting -= 1;
    if (this.awaiting <= this.refillAt) this.#wake();
  }

  end(): void {
    this.underWay -= 1;
    this.ended += 1;
    this.#wake();
  }

  /** Resolves when something changed, or after `limitMs`, which is then a reason to look. */
  async change(limitMs: number | undefined): Promise<void> {
    if (this.reminded) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      if (limitMs === undefined) return;
      timer = setTimeout(() => {
        this.reminded = true;
        resolve();
      }, limitMs);
    });
    clearTimeout(timer);
    this.#wake = () => undefined;
  }
}
