import type { DeliveryStore } from '../ports/deliveries.js';
import type { Slots } from './slots.js';
import type { DeliveryTask, KnownPart } from './task.js';

/** What waits so long for its turn renews its lease; well below the lease's length. */
export const RENEW_MS = 5_000;
/** So much later than asked for a turn may come before it is doubted. */
const TURN_MS = 1_000;

/** The lane of one task, as far as this process can know that it still has it. */
export class Lease {
  constructor(
    private readonly task: DeliveryTask,
    private readonly store: Pick<DeliveryStore, 'progress'>,
    /** By the clock of `performance`, from before it was asked for. */
    private heldSince: number,
  ) {}

  /** False: the lane was taken over, nothing may be written. */
  async renew(parts: readonly KnownPart[]): Promise<boolean> {
    const askedAt = performance.now();
    const isOurs = await this.store.progress(this.task, parts);
    this.heldSince = askedAt;
    return isOurs;
  }

  /** The same, but asked only when so much time has passed as in a process that stood still. */
  async stillHeld(parts: readonly KnownPart[]): Promise<boolean> {
    return performance.now() - this.heldSince <= RENEW_MS + TURN_MS || this.renew(parts);
  }

  /** Waits for a free slot, and keeps the lane meanwhile. False: it was taken over, nothing may be written. */
  async awaitSlot(slots: Slots): Promise<boolean> {
    const { parts, priority } = this.task;
    while (!(await slots.take(RENEW_MS, priority))) {
      if (!(await this.renew(parts))) return false;
    }
    if (await this.stillHeld(parts)) return true;
    slots.giveBack();
    return false;
  }
}
