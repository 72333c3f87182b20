import { performance } from 'node:perf_hooks';
import { shuttingDown, unavailable } from '../common/errors.js';
import type { Log } from '../common/log.js';
import { newId } from '../common/new-id.js';
import { timeNow } from '../common/time.js';
import { type CountedWindow, CountedWindows } from './counted-windows.js';
import { nameOf, RateDemands, type WaitingRequests } from './rate-demands.js';
import type { RequestCounts } from './rate-limit.js';
import { MAX_WINDOWS, type RateGrant, type RateWindow, type RateWindows } from './rate-windows.js';

const LEASE_MS = 3_000;
/** The local lease ends this much earlier than the lease in the database. */
const MARGIN_MS = 500;
const REPORT_MS = 100;
const RENEW_MS = 1_000;
/** Delay after which a window held by another counter is requested again, unless its return is reported earlier. */
const ASK_AGAIN_MS = 25;
/** Maximum time a request waits for a window. A holder that is gone has lost its lease by then. */
const WAIT_LIMIT_MS = 10_000;

export interface RequestCounterOptions {
  readonly windows: RateWindows;
  readonly log: Log;
  /** A monotonic clock. */
  readonly now?: () => number;
  /** The wall clock, which determines the hour. */
  readonly time?: () => number;
}

/**
 * Counts requests per bucket and hour. Counts are exact over all processes and usually need no database call.
 *
 * The first process with a request in a window holds the window, counts in memory and reports its counts in batches.
 * When a second process asks for the window, the first one returns it. From then on the requests of both are counted in
 * the database, concurrent ones in one statement.
 *
 * `asked` and `returned` handle notifications from other processes. A notification may be lost, which costs a short
 * wait.
 */
export class RequestCounter implements RequestCounts {
  private readonly windows = new CountedWindows();
  private readonly demands = new RateDemands();
  /** Windows that other processes asked for before this process learned that it holds them. */
  private readonly askedEarly = new Set<string>();
  private readonly now: () => number;
  private readonly time: () => number;
  private counter: string | undefined;
  private leasedUntil = 0;
  private reportIsDue = false;
  private lookedAt = 0;
  private working: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private timerAt = Number.POSITIVE_INFINITY;
  private isStopping = false;

  constructor(private readonly options: RequestCounterOptions) {
    this.now = options.now ?? (() => performance.now());
    this.time = options.time ?? timeNow;
  }

  take(bucket: string, hour: number, limit: number): number | undefined | Promise<number | undefined> {
    const window = this.windows.get(nameOf({ bucket, hour }));
    const now = this.now();
    if (window !== undefined) {
      // An exhausted window stays exhausted, regardless of which process counts.
      if (window.used >= limit) return undefined;
      if (window.state === 'held' && now < this.leasedUntil) return this.count(window, now);
    }
    if (this.isStopping) return Promise.reject(unavailable(shuttingDown.reason, shuttingDown.message));
    const answer = this.demands.add({ bucket, hour }, limit, now + WAIT_LIMIT_MS);
    this.work();
    return answer;
  }

  /** Handles a notification that another process wants a window held by `counter`. */
  asked(counter: string, window: RateWindow): void {
    if (counter !== this.counter) return;
    const name = nameOf(window);
    if (this.windows.get(name) !== undefined) this.windows.release([name]);
    else if (this.demands.has(name)) this.askedEarly.add(name);
    this.work();
  }

  /** Handles a notification that a window was returned by its holder. */
  returned(window: RateWindow): void {
    if (this.demands.retry(nameOf(window))) this.work();
  }

  /**
   * Reports all counts and returns all windows. Call it after the last request. Requests that still wait are rejected.
   *
   * It first waits for the call in progress. No other one begins then, so each batch is reported once.
   */
  async stop(): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.timer);
    await this.working;
    this.demands.rejectAll(unavailable(shuttingDown.reason, shuttingDown.message));
    if (this.counter === undefined) return;
    while (this.windows.hasUnreported || this.windows.hasReturning) await this.report(this.counter);
    if (this.counter !== undefined) await this.options.windows.leave(this.counter);
    this.forgetCounter();
  }

  private count(window: CountedWindow, now: number): number {
    if (!this.windows.hasUnreported) this.wakeIn(REPORT_MS);
    return this.windows.count(window, now);
  }

  /** Runs one database call at a time: its result is applied before the next call is made. */
  private work(): void {
    // `stop` makes the last calls itself, also for windows that others ask for meanwhile.
    if (this.isStopping) return;
    this.working ??= this.rounds().then((failed) => {
      this.working = undefined;
      if (failed) this.wakeIn(RENEW_MS);
      // Work that arrived after the last check in rounds().
      else if (this.hasWork()) this.work();
      else if (this.demands.isWaiting()) this.wakeIn(ASK_AGAIN_MS);
      else if (this.windows.hasUnreported) this.wakeIn(REPORT_MS);
      else if (this.windows.size > 0) this.wakeIn(RENEW_MS);
    });
  }

  /** Resolves with whether a database call failed. */
  private async rounds(): Promise<boolean> {
    // Requests that arrive together are sent in one call.
    await new Promise((resolve) => setImmediate(resolve));
    try {
      while (this.hasWork()) await this.round();
      return false;
    } catch (error) {
      this.options.log.warn({ err: error, windows: this.windows.size }, 'rate_windows.call_failed');
      this.demands.rejectAll(error);
      return true;
    }
  }

  private hasWork(): boolean {
    return this.reportIsDue || this.windows.hasReturning || this.demands.isReady();
  }

  private async round(): Promise<void> {
    const isOver = this.now() >= this.leasedUntil;
    if (this.counter !== undefined && isOver && !this.windows.holdsAny()) this.forgetCounter();
    if (this.counter !== undefined && (this.reportIsDue || this.windows.hasReturning || isOver)) {
      await this.report(this.counter);
    } else if (this.demands.isReady()) {
      if (this.counter === undefined) await this.join();
      else await this.ask(this.counter);
    } else {
      this.reportIsDue = false;
    }
  }

  private async join(): Promise<void> {
    const counter = newId();
    const leasedUntil = this.now() + LEASE_MS - MARGIN_MS;
    await this.options.windows.join(counter, LEASE_MS);
    this.counter = counter;
    this.leasedUntil = leasedUntil;
  }

  /** Extends the lease and reports a batch of the counts since the last report. */
  private async report(counter: string): Promise<void> {
    const batch = this.windows.nextBatch();
    const reports = batch.map(({ report }) => report);
    const leasedUntil = this.now() + LEASE_MS - MARGIN_MS;
    const { alive, asked } = await this.options.windows.report(counter, LEASE_MS, reports);
    this.reportIsDue = batch.length === MAX_WINDOWS;
    if (!alive) return this.forgetCounter();
    this.leasedUntil = leasedUntil;
    this.windows.reported(batch);
    this.windows.release(asked.map(nameOf));
    this.serveHeld();
  }

  /** Drops all held windows when the lease is over, because another process may hold them now. */
  private forgetCounter(): void {
    // The process stalled for longer than its lease, so other processes do not know these requests.
    const lost = this.windows.dropHeld();
    if (lost > 0) this.options.log.warn({ windows: lost }, 'rate_windows.counts_lost');
    this.counter = undefined;
    this.leasedUntil = 0;
    this.reportIsDue = false;
  }

  private async ask(counter: string): Promise<void> {
    const waiting = this.demands.ready(MAX_WINDOWS);
    const demands = waiting.map(({ bucket, hour, limit, requests }) => {
      return { bucket, hour, limit, wanted: requests.length };
    });
    const grants = await this.options.windows.ask(counter, demands);
    for (const [at, demand] of waiting.entries()) {
      this.apply(demand, grants[at] as RateGrant, demands[at]?.wanted ?? 0);
    }
    this.serveHeld();
    this.windows.release(this.askedEarly);
    this.askedEarly.clear();
  }

  private apply(demand: WaitingRequests, grant: RateGrant, wanted: number): void {
    const now = this.now();
    if (grant.outcome === 'busy') return this.demands.postpone(demand, now + ASK_AGAIN_MS);
    const { bucket, hour } = demand;
    const { outcome, used } = grant;
    this.windows.add({ bucket, hour, used, usedAt: now, state: outcome === 'held' ? 'held' : 'shared' });
    if (outcome === 'held') return;
    for (const [at, { resolve }] of demand.requests.splice(0, wanted).entries()) {
      resolve(at < grant.granted ? used - grant.granted + at + 1 : undefined);
    }
    this.demands.settle(demand);
  }

  /** Counts requests that waited for a window or for the lease. */
  private serveHeld(): void {
    const now = this.now();
    if (now >= this.leasedUntil) return;
    for (const demand of this.demands.all()) {
      const window = this.windows.get(demand.name);
      if (window?.state !== 'held') continue;
      for (const { resolve } of demand.requests.splice(0)) {
        resolve(window.used < demand.limit ? this.count(window, now) : undefined);
      }
      this.demands.settle(demand);
    }
  }

  private wakeIn(ms: number): void {
    const at = this.now() + ms;
    if (at >= this.timerAt || this.isStopping) return;
    clearTimeout(this.timer);
    this.timerAt = at;
    this.timer = setTimeout(() => this.check(), ms).unref();
  }

  /** Does timed work: reports, lease renewals, and the expiry of windows and waiting requests. */
  private check(): void {
    this.timerAt = Number.POSITIVE_INFINITY;
    const now = this.now();
    const because = () => unavailable('database', 'The requests of this credential cannot be counted now.');
    this.demands.rejectLate(now, because);
    this.demands.retryDue(now);
    if (now - this.lookedAt >= RENEW_MS) {
      this.lookedAt = now;
      this.windows.releaseOld(now, this.time());
      this.reportIsDue = this.windows.holdsAny();
    }
    this.reportIsDue ||= this.windows.hasUnreported;
    this.work();
  }
}
