import type { PrioritySemaphore } from '../../common/priority-semaphore.js';
import { Stopwatch } from '../../common/stopwatch.js';
import type { DeliveryStore } from '../ports.js';
import type { DeliveryTask, KnownPart } from '../task.js';

/** Interval of renewals while a task waits. It is well below the duration of a lease. */
export const RENEW_MS = 5_000;
/** Without a renewal for this time the work is aborted, well before another process may have the lane. */
const LAST_MS = 15_000;
/** A lease that is older is renewed before a write begins, so that the write ends before the lease. */
export const BEGIN_MS = 4_000;

/** The lease of a task's lane, as this process knows it. */
export class LaneLease {
  constructor(
    private readonly task: DeliveryTask,
    private readonly store: Pick<DeliveryStore, 'progress'>,
    /** Started before the lease was requested. */
    private heldSince: Stopwatch,
  ) {}

  /** Resolves with false if another worker has the lane; then nothing may be written. */
  async renew(parts: readonly KnownPart[]): Promise<boolean> {
    const askedAt = new Stopwatch();
    const isOurs = await this.store.progress(this.task, parts);
    this.heldSince = askedAt;
    return isOurs;
  }

  /** Whether a write may begin now. Renews a lease that is not fresh, and again if the renewal took long. */
  async stillHeld(parts: readonly KnownPart[]): Promise<boolean> {
    while (this.heldSince.passedMs > BEGIN_MS) {
      if (!(await this.renew(parts))) return false;
    }
    return true;
  }

  /**
   * Waits for a free slot and renews the lease during the wait. Resolves with false if another worker has the lane.
   * Rejects if the lease cannot be renewed.
   */
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

  /**
   * Renews the lease during `work`, which may take longer than a lease. The signal aborts before another process can
   * have the lane.
   */
  async kept<Answer>(
    parts: readonly KnownPart[],
    work: (lost: AbortSignal) => Promise<Answer>,
  ): Promise<Answer> {
    const lost = new AbortController();
    let renewal: Promise<void> | undefined;
    const timer = setInterval(() => {
      if (this.heldSince.passedMs > LAST_MS) lost.abort(leaseLost());
      renewal ??= this.renew(parts)
        .then(
          (isOurs) => void (isOurs || lost.abort(leaseLost())),
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
      // A renewal stores the earlier state of the parts, so it must end before the next state is stored.
      await renewal;
    }
  }
}

const leaseLost = () => new DOMException('The lane may be held by another worker.', 'AbortError');
