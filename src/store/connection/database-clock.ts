import type { Pool } from 'pg';
import type { Clock } from '../../contract/clock.js';

/** In this time, the monotonic clock drifts by less than a millisecond, unless the machine slept. */
const CHECK_EVERY_MS = 5_000;

/** Keeps a clock synchronized with the database. While the database is unreachable, the clock runs on by itself. */
export class DatabaseClock {
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(
    private readonly pool: Pick<Pool, 'query'>,
    private readonly clock: Clock,
  ) {}

  /** Resolves after the clock was synchronized once. */
  async start(): Promise<void> {
    await this.check();
    this.#lookLater();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  async check(): Promise<void> {
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
      // An unreachable database is queried again later. The pool reports that it is unreachable.
      void this.check()
        .catch(() => undefined)
        .then(() => this.#lookLater());
    }, CHECK_EVERY_MS);
    this.#timer.unref();
  }
}
