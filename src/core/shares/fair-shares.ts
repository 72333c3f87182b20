/**
 * A key may hold up to this many times the free places. A single key gets two thirds. The next one gets two thirds of the rest.
 */
const OF_FREE = 2;
/** The last eighth is for keys that hold no place. */
const RESERVED_PART = 8;

export interface FairSharesOptions {
  /** Number of places for all keys. */
  readonly capacity: number;
  /** Maximum number of waiters per key. */
  readonly maxWaiting?: number;
}

interface Waiter {
  readonly answer: (isTaken: boolean) => void;
}

interface Holder {
  held: number;
  /** In the order of their requests. */
  readonly waiting: Set<Waiter>;
}

/**
 * Shares places fairly between keys, such as workspaces. A key may take another place while it holds less than twice the number
 * of free places (a dynamic threshold). The last eighth is only for keys that hold no place. A single key can use most of the
 * capacity, and a new key gets a place at once even if all places of the others hang. A returned place goes to the waiting key
 * that holds the fewest.
 */
export class FairShares {
  #used = 0;
  /** By key, least recently served first. */
  readonly #holders = new Map<string, Holder>();

  readonly #reserve: number;

  constructor(private readonly options: FairSharesOptions) {
    this.#reserve = Math.max(1, Math.floor(options.capacity / RESERVED_PART));
  }

  /** Number of free places. */
  get free(): number {
    return this.options.capacity - this.#used;
  }

  /** Number of keys that hold or await a place. */
  get keys(): number {
    return this.#holders.size;
  }

  heldBy(key: string): number {
    return this.#holders.get(key)?.held ?? 0;
  }

  /** Takes a place if the key may have one now and has no waiters. */
  tryTake(key: string): boolean {
    if ((this.#holders.get(key)?.waiting.size ?? 0) > 0 || !this.#mayTake(key)) return false;
    this.#serve(key, this.#holder(key));
    return true;
  }

  /** Resolves with true once a place is taken, and with false after `maxWaitMs` or if the key has too many waiters. */
  take(key: string, maxWaitMs = Number.POSITIVE_INFINITY): Promise<boolean> {
    if (this.tryTake(key)) return Promise.resolve(true);
    const { waiting } = this.#holder(key);
    if (waiting.size >= (this.options.maxWaiting ?? Number.POSITIVE_INFINITY)) return Promise.resolve(false);
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      const waiter: Waiter = {
        answer: (isTaken) => {
          clearTimeout(timer);
          resolve(isTaken);
        },
      };
      waiting.add(waiter);
      if (Number.isFinite(maxWaitMs)) timer = setTimeout(() => this.#giveUp(key, waiter), maxWaitMs);
    });
  }

  /** Releases a place that was taken for the key. */
  release(key: string): void {
    const holder = this.#holders.get(key);
    if (holder === undefined || holder.held === 0)
      throw new RangeError('More places were released than taken.');
    holder.held -= 1;
    this.#used -= 1;
    this.#forgetIdle(key, holder);
    this.#serveWaiting();
  }

  /** Runs `work` in a place of the key. Resolves with undefined if it got no place within `maxWaitMs`. */
  async within<Result>(
    key: string,
    work: () => Promise<Result>,
    maxWaitMs?: number,
  ): Promise<Result | undefined> {
    if (!(await this.take(key, maxWaitMs))) return undefined;
    try {
      return await work();
    } finally {
      this.release(key);
    }
  }

  /** Ends all waits without a place. */
  dismiss(): void {
    for (const [key, holder] of this.#holders) {
      for (const { answer } of holder.waiting) answer(false);
      holder.waiting.clear();
      this.#forgetIdle(key, holder);
    }
  }

  #mayTake(key: string): boolean {
    const { free } = this;
    const held = this.heldBy(key);
    return held === 0 ? free > 0 : free > this.#reserve && held < OF_FREE * free;
  }

  #holder(key: string): Holder {
    const known = this.#holders.get(key);
    if (known !== undefined) return known;
    const holder = { held: 0, waiting: new Set<Waiter>() };
    this.#holders.set(key, holder);
    return holder;
  }

  #serve(key: string, holder: Holder): void {
    holder.held += 1;
    this.#used += 1;
    // Moves the key behind the others that hold as many places.
    this.#holders.delete(key);
    this.#holders.set(key, holder);
  }

  #serveWaiting(): void {
    for (let next = this.#neediest(); next !== undefined; next = this.#neediest()) {
      const [key, holder] = next;
      const [waiter] = holder.waiting;
      if (waiter === undefined) return;
      holder.waiting.delete(waiter);
      this.#serve(key, holder);
      waiter.answer(true);
    }
  }

  /** The waiting key that holds the fewest places, if it may have another. */
  #neediest(): readonly [string, Holder] | undefined {
    let found: readonly [string, Holder] | undefined;
    for (const entry of this.#holders) {
      const [, { held, waiting }] = entry;
      if (waiting.size > 0 && (found === undefined || held < found[1].held)) found = entry;
    }
    return found !== undefined && this.#mayTake(found[0]) ? found : undefined;
  }

  #giveUp(key: string, waiter: Waiter): void {
    const holder = this.#holders.get(key);
    if (holder === undefined || !holder.waiting.delete(waiter)) return;
    this.#forgetIdle(key, holder);
    waiter.answer(false);
  }

  #forgetIdle(key: string, holder: Holder): void {
    if (holder.held === 0 && holder.waiting.size === 0) this.#holders.delete(key);
  }
}
