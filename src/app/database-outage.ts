import { isDatabaseAway } from '../core/common/database-away.js';
import type { Log, LogFields } from '../core/common/log.js';

/** How often the database is asked while it answers. An outage without traffic is noticed within this time and a second. */
const CHECK_MS = 5_000;
const CHECK_WHILE_DOWN_MS = 1_000;
const ANSWER_LIMIT_MS = 5_000;

/**
 * Notices that the database went away and that it came back, and says each once.
 *
 * Everything that works on rows fails meanwhile and says so. `log` passes those lines on at level `debug` and counts them, so
 * that an outage is two lines of the log and not a stack per loop and second.
 */
export class DatabaseOutage {
  readonly log: Log;
  #ping: (() => Promise<void>) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #check: Promise<void> | undefined;
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

  /** Starts to ask. `ping` rejects when the database does not answer. */
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
    // The same codes come from other servers, so the line alone proves nothing.
    if (concernsDatabase) void this.#look();
  }

  #schedule(): void {
    if (this.#stopped) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => void this.#look().then(() => this.#schedule()),
      this.isDown ? CHECK_WHILE_DOWN_MS : CHECK_MS,
    );
    this.#timer.unref();
  }

  /** One question at a time; callers meanwhile wait for its answer. */
  #look(): Promise<void> {
    this.#check ??= this.#ask().finally(() => {
      this.#check = undefined;
    });
    return this.#check;
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
