import { TokenBucket } from '../core/common/token-bucket.js';

const MAX_STATE_NAMES = 64;

/** The limits of the bridge for one connection. Health reports above a few per second are merged there. */
const limits = { log: { perSecond: 20, burst: 200 }, health: { perSecond: 10, burst: 100 } } as const;

/** Calls of a host that the bridge would drop or refuse. A check in which one is made fails. */
export class HostUses {
  readonly problems = new Set<string>();
  readonly #log = new TokenBucket(limits.log.perSecond, limits.log.burst);
  readonly #health = new TokenBucket(limits.health.perSecond, limits.health.burst);

  count(kind: keyof typeof limits): void {
    const bucket = kind === 'log' ? this.#log : this.#health;
    const { perSecond, burst } = limits[kind];
    if (!bucket.tryTake())
      this.problems.add(`host.${kind} is called more than ${burst} times, and ${perSecond} times a second.`);
  }

  /** Raises a RangeError, as the host of the bridge does. */
  stateName(name: string, known: ReadonlyMap<string, unknown>): void {
    if (!known.has(name) && known.size >= MAX_STATE_NAMES)
      this.refuse(`host.state.save: a connection has at most ${MAX_STATE_NAMES} names.`);
  }

  /** `wrong`: the first wrong field of an argument. */
  argument(call: string, wrong: string | undefined): void {
    if (wrong !== undefined) this.refuse(`host.${call} is called with a wrong or missing ${wrong}.`);
  }

  refuse(problem: string): never {
    this.problems.add(problem);
    throw new RangeError(problem);
  }
}
