import { clock, PlatformError } from '../../../src/contract/index.js';

/** Time limit of a name lookup. Slack requires an acknowledgement within three seconds. */
const LOOKUP_TIMEOUT_MS = 1_500;
const KEEP_MS = 3_600_000;
/** A refusal is cached for a while: a missing scope must not cost one call per event. */
const KEEP_REFUSAL_MS = 60_000;
/** A failure says nothing about the next call. The wait doubles, so that an outage does not delay every event. */
const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 60_000;
const CAPACITY = 5_000;

interface Kept<T> {
  readonly value: Promise<T | undefined>;
  readonly until: number;
  /** The last found value. It is used while Slack does not respond. */
  readonly known: T | undefined;
  readonly failures: number;
}

/** A small LRU cache that shares running lookups. */
export class NameCache<T> {
  readonly #kept = new Map<string, Kept<T>>();
  readonly #find: (id: string, signal: AbortSignal) => Promise<T | undefined>;

  constructor(find: (id: string, signal: AbortSignal) => Promise<T | undefined>) {
    this.#find = find;
  }

  async all(ids: readonly string[]): Promise<Map<string, T>> {
    const found = await Promise.all(ids.map(async (id) => [id, await this.#get(id)] as const));
    return new Map(found.filter((entry): entry is [string, Awaited<T>] => entry[1] !== undefined));
  }

  delete(id: string): void {
    this.#kept.delete(id);
  }

  #get(id: string): Promise<T | undefined> {
    const kept = this.#kept.get(id);
    if (kept !== undefined && kept.until > clock.now()) {
      this.#put(id, kept);
      return kept.value;
    }
    const value = this.#fetch(id, kept);
    this.#put(id, { value, until: clock.now() + KEEP_MS, known: kept?.known, failures: kept?.failures ?? 0 });
    return value;
  }

  async #fetch(id: string, before: Kept<T> | undefined): Promise<T | undefined> {
    try {
      const found = await this.#findTwice(id);
      this.#put(id, {
        value: Promise.resolve(found),
        until: clock.now() + KEEP_MS,
        known: found,
        failures: 0,
      });
      return found;
    } catch (error) {
      const known = before?.known;
      const failures = (before?.failures ?? 0) + 1;
      const until = clock.now() + waitAfter(error, failures);
      this.#put(id, { value: Promise.resolve(known), until, known, failures });
      return known;
    }
  }

  /** Retries once within the time limit, because single failures are common. Only a second failure starts a wait. */
  async #findTwice(id: string): Promise<T | undefined> {
    const signal = AbortSignal.timeout(LOOKUP_TIMEOUT_MS);
    try {
      return await this.#find(id, signal);
    } catch (error) {
      if (signal.aborted || !passes(error)) throw error;
      return this.#find(id, signal);
    }
  }

  /** A map keeps insertion order, so the least recently used entry is first. */
  #put(id: string, kept: Kept<T>): void {
    this.#kept.delete(id);
    this.#kept.set(id, kept);
    const oldest = this.#kept.keys().next().value;
    if (this.#kept.size > CAPACITY && oldest !== undefined) this.#kept.delete(oldest);
  }
}

const passes = (error: unknown): boolean =>
  error instanceof PlatformError && error.problem.kind === 'unavailable';

function waitAfter(error: unknown, failures: number): number {
  if (!(error instanceof PlatformError)) return FIRST_WAIT_MS;
  const { problem } = error;
  if (problem.kind === 'rate_limited') return Math.min(problem.retryAfterMs, MAX_WAIT_MS);
  if (problem.kind !== 'unavailable') return KEEP_REFUSAL_MS;
  return Math.min(FIRST_WAIT_MS * 2 ** Math.min(failures - 1, 6), MAX_WAIT_MS);
}
