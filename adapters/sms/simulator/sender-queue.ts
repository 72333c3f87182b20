/** A long code sends one segment per second and queues ten hours of them. More gives error 21611 or 30001. */
const SEGMENT_MS = 1_000;
const QUEUE_MS = 10 * 3_600_000;

/** The queue of one sender. Accepting is immediate; only sending waits. */
export class SenderQueue {
  readonly #unlimited: boolean;
  #freeAt = 0;

  constructor(
    limits: 'documented' | 'none',
    private readonly faster = 1,
  ) {
    this.#unlimited = limits === 'none';
  }

  /** Milliseconds until a message of this many segments is sent. Undefined if the queue is full. */
  reserve(segments: number, now: number): number | undefined {
    if (this.#unlimited) return 0;
    const leavesAt = Math.max(this.#freeAt, now);
    const freeAt = leavesAt + (segments * SEGMENT_MS) / this.faster;
    if (freeAt - now > QUEUE_MS / this.faster) return undefined;
    this.#freeAt = freeAt;
    return leavesAt - now;
  }
}
