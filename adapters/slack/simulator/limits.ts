/** One message per second and channel, with short bursts (docs.slack.dev/apis/web-api/rate-limits#posting_messages). */
const REFILL_MS = 1_000;
const BURST = 5;

/** A token bucket per channel. */
export class PostingLimit {
  readonly #fullAt = new Map<string, number>();
  readonly #refillMs: number;

  /** `faster` is the factor by which the limit exceeds the documented one. */
  constructor(faster = 1) {
    this.#refillMs = REFILL_MS / faster;
  }

  /** Seconds to wait. Returns 0 and counts the post if it is allowed. */
  waitSeconds(channel: string): number {
    const now = Date.now();
    const fullAt = Math.max(this.#fullAt.get(channel) ?? now, now);
    const overdrawnMs = fullAt + this.#refillMs - now - BURST * this.#refillMs;
    if (overdrawnMs > 0) return Math.ceil(overdrawnMs / 1000);
    this.#fullAt.set(channel, fullAt + this.#refillMs);
    return 0;
  }
}

/** Limits the number of calls per method in any 60 seconds. All of them may be made at once. */
export class MinuteLimit {
  readonly #perMinute: number;
  readonly #calls = new Map<string, number[]>();

  constructor(perMinute: number) {
    this.#perMinute = perMinute;
  }

  /** Seconds to wait. Returns 0 and counts the call if it is allowed. */
  waitSeconds(method: string): number {
    const now = Date.now();
    const recent = (this.#calls.get(method) ?? []).filter((at) => at > now - 60_000);
    this.#calls.set(method, recent);
    const [first] = recent;
    if (recent.length >= this.#perMinute && first !== undefined)
      return Math.ceil((first + 60_000 - now) / 1000);
    recent.push(now);
    return 0;
  }
}
