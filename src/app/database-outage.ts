import { isDatabaseAway } from '../core/common/database-away.js';
import type { Log, LogFields } from '../core/common/log.js';

/** Interval of checks while the database responds. A check notices an outage without traffic. */
const CHECK_MS = 5_000;
const CHECK_WHILE_DOWN_MS = 1_000;
const ANSWER_LIMIT_MS = 5_000;

/**
 * Detects the start and the end of a database outage, and logs each once.
 *
 * During an outage, all work on rows fails and logs an error. `log` passes these lines on at level `debug` and counts them, so
 * that an outage produces two lines of the log instead of a stack trace per loop and second.
 */
export class DatabaseOutage {
  readonly log: Log;
  #ping: (() => Promise<void>) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #checking: Promise<void> | undefined;
  #downSince: number | undefined;
  #suppressed = 0;
  #stopped = false;

  constructor(private readonly target: Log) {
    this.log = {
      debug: (fields, event) => target.debug(fields, event),
      info: (fields, event) => this.#pass('info', fields, event),
      warn: (fields, event) => this.#pass('warn', fields, event),
      error: (fields, event) => this.#pass('error', fields, event),
    };
  }

  get isDown(): boolean {
    return this.#downSince !== undefined;
  }

  /** Starts the checks. `ping` rejects when the database does not respond. */
  start(ping: () => Promise<void>): void {
    this.#ping = ping;
    this.#schedule();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #pass(level: 'info' | 'warn' | 'error', fields: LogFields, event: string): void {
    const concernsDatabase = isDatabaseAway(fields.err);
    if (concernsDatabase && this.isDown) {
      this.#suppressed += 1;
      this.target.debug(fields, event);
      return;
    }
    this.target[level](fields, event);
    // Other servers return the same error codes, so the database is checked before an outage is logged.
    if (concernsDatabase) void this.#check();
  }

  #schedule(): void {
    if (this.#stopped) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => void this.#check().then(() => this.#schedule()),
      this.isDown ? CHECK_WHILE_DOWN_MS : CHECK_MS,
    );
    this.#timer.unref();
  }

  /** Runs one check at a time. Concurrent callers wait for its result. */
  #check(): Promise<void> {
    this.#checking ??= this.#ask().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  async #ask(): Promise<void> {
    if (this.#ping === undefined) return;
    try {
      await withinLimit(this.#ping());
    } catch (err) {
      if (!this.#stopped) this.#wentDown(err);
      return;
    }
    this.#cameBack();
  }

  #wentDown(err: unknown): void {
    if (this.isDown) return;
    this.#downSince = performance.now();
    this.#suppressed = 0;
    this.target.error({ err }, 'database.unavailable');
    this.#schedule();
  }

  #cameBack(): void {
    if (this.#downSince === undefined) return;
    const outage = {
      duration_ms: Math.round(performance.now() - this.#downSince),
      suppressed_lines: this.#suppressed,
    };
    this.#downSince = undefined;
    this.target.warn(outage, 'database.available');
  }
}

async function withinLimit(answer: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`The database did not answer within ${ANSWER_LIMIT_MS / 1_000} s.`)),
      ANSWER_LIMIT_MS,
    );
  });
  try {
    await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
