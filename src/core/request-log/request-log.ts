import type { Log } from '../common/log.js';
import type { RequestEntry, RequestLogStore } from './ports.js';

const WAIT_MS = 1_000;
/** Maximum number of requests per batch. */
const BATCH = 500;
/** Maximum number of waiting requests while the store is slow or unavailable. */
const MAX_WAITING = 5_000;

export interface RequestLogOptions {
  readonly store: Pick<RequestLogStore, 'append'>;
  readonly log: Log;
  /** How long a request waits for the rest of its batch. */
  readonly waitMs?: number;
}

/**
 * Writes completed requests in batches, after their responses. No request waits for the log or fails because of it.
 *
 * Requests are lost if the store refuses them, if more than 5,000 wait, or if the process ends without `stop`. Each lost batch is
 * logged once.
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

  /** Writes the waiting requests. Call it after the last request. */
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
