/** One message per second and channel, short bursts allowed (docs.slack.dev/apis/web-api/rate-limits#posting_messages). */
const REFILL_MS = 1_000;
const BURST = 5;

/** A token bucket per channel. */
export class PostingLimit {
  readonly #fullAt = new Map<string, number>();

  /** Seconds to wait, or 0 when the post may go. */
  waitSeconds(channel: string): number {
    const now = Date.now();
    const fullAt = Math.max(this.#fullAt.get(channel) ?? now, now);
    const overdrawnMs = fullAt + REFILL_MS - now - BURST * REFILL_MS;
    if (overdrawnMs > 0) return Math.ceil(overdrawnMs / 1000);
    this.#fullAt.set(channel, fullAt + REFILL_MS);
    return 0;
  }
}
