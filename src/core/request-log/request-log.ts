import type { Log } from '../common/log.js';
import type { RequestEntry, RequestLogStore } from './ports.js';

const WAIT_MS = 1_000;
/** Requests in one call of the store (a batch). */
const BATCH = 500;
/** Requests that wait while the store is slow or away. */
const MAX_WAITING = 5_000;

export interface RequestLogOptions {
  readonly store: Pick<RequestLogStore, 'append'>;
  readonly log: Log;
  /** How long a request waits for others. */
  readonly waitMs?: number;
}

/**
 * Writes down answered requests in batches, after their answers: no request waits for it, and none fails with it.
 *
 * What the store refuses is lost, and so is what waits beyond 5,000 requests or when the process ends without `stop`.
 * The log has one line for each lost batch.
 */
export class RequestLog {
  #waiting: RequestEntry[] = [];
  #dropped = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;

  constructor(private readonly options: RequestLogOptions) {}

  add(request: RequestEntry): void {
    if (this.#waiting.length >= MAX_WAITING) {
      this.#dropped += 1;
      return;
    }
    this.#waiting.push(request);
    this.#schedule();
  }

  /** Writes what waits. Belongs after the last request. */
  async stop(): Promise<void> {
    while (this.#writing !== undefined || this.#waiting.length > 0) {
      this.#write();
      await this.#writing;
    }
  }

  #schedule(): void {
    if (this.#writing !== undefined) return;
    if (this.#waiting.length >= BATCH) this.#write();
    else this.#timer ??= setTimeout(() => this.#write(), this.options.waitMs ?? WAIT_MS);
  }

  #write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing ??= this.#append(this.#waiting.splice(0, BATCH)).finally(() => {
      this.#writing = undefined;
      if (this.#waiting.length > 0) this.#schedule();
    });
  }

  async #append(requests: readonly RequestEntry[]): Promise<void> {
    const { store, log } = this.options;
    const lost = { requests: this.#dropped };
    this.#dropped = 0;
    try {
      await store.append(requests);
    } catch (err) {
      log.warn({ err, requests: requests.length + lost.requests }, 'request_log.lost');
      return;
    }
    if (lost.requests > 0) log.warn(lost, 'request_log.lost');
  }
}
