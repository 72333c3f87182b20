/** One message per second and channel, short bursts allowed (docs.slack.dev/apis/web-api/rate-limits#posting_messages). */
const REFILL_MS = 1_000;
const BURST = 5;

/** A token bucket per channel. */
export class PostingLimit {
  readonly #fullAt = new Map<string, number>();
  readonly #refillMs: number;

  /** `faster`: so many times as fast as documented. */
  constructor(faster = 1) {
    this.#refillMs = REFILL_MS / faster;
  }

  /** Seconds to wait, or 0 when the post may go. */
  waitSeconds(channel: string): number {
    const now = Date.now();
    const fullAt = Math.max(this.#fullAt.get(channel) ?? now, now);
    const overdrawnMs = fullAt + this.#refillMs - now - BURST * this.#refillMs;
    if (overdrawnMs > 0) return Math.ceil(overdrawnMs / 1000);
    this.#fullAt.set(channel, fullAt + this.#refillMs);
    return 0;
  }
}
