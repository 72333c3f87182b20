import type { PrioritySemaphore } from '../../common/priority-semaphore.js';
import { Stopwatch } from '../../common/stopwatch.js';
import type { DeliveryStore } from '../ports.js';
import type { DeliveryTask, KnownPart } from '../task.js';

/** What waits so long for its turn renews its lease; well below the lease's length. */
export const RENEW_MS = 5_000;
/** After this long without a renewal the work stops, well before another process may have the lane. */
const LAST_MS = 15_000;
/** Once it was not renewed for so long, a lane is asked for before a write begins, which then ends before its lease does. */
export const BEGIN_MS = 4_000;

/** The lane of one task, as far as this process can know that it still has it. */
export class LaneLease {
  constructor(
    private readonly task: DeliveryTask,
    private readonly store: Pick<DeliveryStore, 'progress'>,
    /** From before it was asked for. */
    private heldSince: Stopwatch,
  ) {}

  /** False: the lane was taken over, nothing may be written. */
  async renew(parts: readonly KnownPart[]): Promise<boolean> {
    const askedAt = new Stopwatch();
    const isOurs = await this.store.progress(this.task, parts);
    this.heldSince = askedAt;
    return isOurs;
  }

  /** Whether a write may begin at this moment. The database is asked only after some time, and again if it was slow. */
  async stillHeld(parts: readonly KnownPart[]): Promise<boolean> {
    while (this.heldSince.passedMs > BEGIN_MS) {
      if (!(await this.renew(parts))) return false;
    }
    return true;
  }

  /** Waits for a free slot, and keeps the lane meanwhile. False: it was taken over, nothing may be written. Who can't ask gets none. */
  async awaitSlot(slots: PrioritySemaphore): Promise<boolean> {
    const { parts, priority } = this.task;
    while (!(await slots.acquire(RENEW_MS, priority))) {
      if (!(await this.renew(parts))) return false;
    }
    let isHeld = false;
    try {
      isHeld = await this.stillHeld(parts);
    } finally {
      if (!isHeld) slots.release();
    }
    return isHeld;
  }

  /** Keeps the lane while `work` goes on for longer than a lease; its signal aborts before another process can have the lane. */
  async kept<Answer>(
    parts: readonly KnownPart[],
    work: (lost: AbortSignal) => Promise<Answer>,
  ): Promise<Answer> {
    const lost = new AbortController();
    let renewal: Promise<void> | undefined;
    const timer = setInterval(() => {
      if (this.heldSince.passedMs > LAST_MS) lost.abort(gone());
      renewal ??= this.renew(parts)
        .then(
          (isOurs) => void (isOurs || lost.abort(gone())),
          () => undefined,
        )
        .finally(() => {
          renewal = undefined;
        });
    }, RENEW_MS);
    try {
      return await work(lost.signal);
    } finally {
      clearInterval(timer);
      // It writes down parts as they were before, and must not come after what is recorded next.
      await renewal;
    }
  }
}

const gone = () => new DOMException('The lane may be held by another worker.', 'AbortError');
