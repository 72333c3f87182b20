/** The requests of one bucket in one UTC clock hour. */
export interface RateWindow {
  /** UUID under which requests are counted. */
  readonly bucket: string;
  /** Start of the hour, in milliseconds. */
  readonly hour: number;
}

/** Requests of a window that are waiting to be counted. */
export interface RateDemand extends RateWindow {
  readonly limit: number;
  readonly wanted: number;
}

export type RateGrant =
  /** The counter holds the window from now on; `used` requests were counted before. */
  | { readonly outcome: 'held'; readonly used: number }
  /** Another counter holds the window and was asked to return it. */
  | { readonly outcome: 'busy' }
  /** Several counters share the window: `granted` of the wanted requests were counted, the last of them as number `used`. */
  | { readonly outcome: 'counted'; readonly used: number; readonly granted: number };

/** The number of requests that a counter counted in a window it holds. */
export interface RateReport extends RateWindow {
  readonly used: number;
  /** Whether the counter has stopped counting in this window. */
  readonly returned: boolean;
}

/**
 * Coordinates which process counts a window.
 *
 * A counter is a process during one uninterrupted lease. `leaseMs` starts at a moment after the call was made. Lists
 * have the same order in all processes and at most {@link MAX_WINDOWS} entries.
 */
export interface RateWindows {
  /** Creates a counter. Its id must never have been used before. */
  join(counter: string, leaseMs: number): Promise<void>;
  /** Requests windows. Returns one grant per demand, in the same order. Does not extend the lease. */
  ask(counter: string, demands: readonly RateDemand[]): Promise<readonly RateGrant[]>;
  /**
   * Writes counts and extends the lease. May be repeated. A window that another counter holds by now is not changed.
   *
   * `alive` is false if the lease had expired; the counter then holds no windows. `asked` lists windows that others
   * wait for.
   */
  report(
    counter: string,
    leaseMs: number,
    reports: readonly RateReport[],
  ): Promise<{ readonly alive: boolean; readonly asked: readonly RateWindow[] }>;
  /** Ends a counter and releases the windows it held. */
  leave(counter: string): Promise<void>;
  /** Ends all counters. Only valid when no other process can be running. */
  leaveAll(): Promise<void>;
}

/** Maximum number of windows in one call. */
export const MAX_WINDOWS = 500;
