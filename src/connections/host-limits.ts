import { setTimeout as sleep } from 'node:timers/promises';
import { hookTrace } from '../core/adapters/hook-trace.js';
import { Semaphore, TooManyWaiting } from '../core/common/semaphore.js';
import { TokenBucket } from '../core/common/token-bucket.js';
import type { Dropped, DroppedKind } from './dropped.js';

interface Limit {
  readonly atOnce: number;
  readonly maxWaiting: number;
  readonly perSecond?: number;
}

/**
 * Limits of concurrent calls and calls per second of one connection. A call above the limit waits, which slows the adapter
 * down. A call is refused if too many calls wait already.
 */
export const HOST_LIMITS = {
  receive: { atOnce: 128, maxWaiting: 10_000, perSecond: 2_000 },
  state: { atOnce: 1, maxWaiting: 1_000, perSecond: 50 },
  fetch: { atOnce: 192, maxWaiting: 10_000 },
  media: { atOnce: 32, maxWaiting: 1_000 },
  target: { atOnce: 16, maxWaiting: 1_000 },
} as const satisfies Partial<Record<DroppedKind, Limit>>;

/** Limits one kind of call of one connection. */
export class LimitedCalls {
  readonly #semaphore: Semaphore;
  readonly #bucket: TokenBucket | undefined;

  constructor(
    private readonly kind: keyof typeof HOST_LIMITS,
    private readonly dropped: Dropped,
  ) {
    const limit: Limit = HOST_LIMITS[kind];
    this.#semaphore = new Semaphore(limit);
    this.#bucket =
      limit.perSecond === undefined ? undefined : new TokenBucket(limit.perSecond, limit.perSecond);
  }

  /** Raises TooManyWaiting. The call is traced as the bridge's, not as part of the hook that makes it. */
  async run<Result>(call: () => Promise<Result>): Promise<Result> {
    try {
      return await hookTrace.outside(() => this.#semaphore.run(() => this.#paced(call)));
    } catch (cause) {
      if (cause instanceof TooManyWaiting) this.dropped.note(this.kind);
      throw cause;
    }
  }

  async #paced<Result>(call: () => Promise<Result>): Promise<Result> {
    const waitMs = this.#bucket?.reserveMs() ?? 0;
    if (waitMs > 0) await sleep(waitMs);
    return call();
  }
}
