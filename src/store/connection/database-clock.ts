import type { Pool } from 'pg';
import type { Clock } from '../../contract/clock.js';

/** The monotonic clock is off by less than a millisecond after this long; one of a machine that slept is not. */
const LOOK_EVERY_MS = 5_000;

/** Keeps a clock at the time of the database, and leaves it going on by itself while the database is away. */
export class DatabaseClock {
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(
    private readonly pool: Pick<Pool, 'query'>,
    private readonly clock: Clock,
  ) {}

  /** Resolves after the first look. */
  async start(): Promise<void> {
    await this.look();
    this.#lookLater();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  async look(): Promise<void> {
    const beganAt = performance.now();
    const { rows } = await this.pool.query<{ ms: string }>({
      name: 'clock.look',
      text: 'SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms',
    });
    this.clock.agree(Number(rows[0]?.ms), beganAt, performance.now());
  }

  #lookLater(): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      // Who is away is asked again: the pool says that it is.
      void this.look()
        .catch(() => undefined)
        .then(() => this.#lookLater());
    }, LOOK_EVERY_MS);
    this.#timer.unref();
  }
}
