/** The requests of one bucket in one UTC clock hour. */
export interface RateWindow {
  /** What is counted under, a UUID. */
  readonly bucket: string;
  /** Start of the hour, in milliseconds. */
  readonly hour: number;
}

/** Requests of a window that wait to be counted. */
export interface RateDemand extends RateWindow {
  readonly limit: number;
  readonly wanted: number;
}

export type RateGrant =
  /** The window belongs to the counter from now on; `used` were counted before. */
  | { readonly outcome: 'held'; readonly used: number }
  /** It belongs to another counter, which was asked to give it back. */
  | { readonly outcome: 'busy' }
  /** Several counters use it: `granted` of the wanted were counted, the last of them as number `used`. */
  | { readonly outcome: 'counted'; readonly used: number; readonly granted: number };

/** What a counter counted in a window it holds. */
export interface RateReport extends RateWindow {
  readonly used: number;
  /** The counter counts there no longer. */
  readonly returned: boolean;
}

/**
 * Where processes agree on who counts a window.
 *
 * A counter is a process for as long as its lease was never interrupted. `leaseMs` runs from a moment after the call
 * was made. Lists have one order in all processes, and at most as many entries as {@link MAX_WINDOWS}.
 */
export interface RateWindows {
  /** Makes a counter. Its id may never have been used before. */
  join(counter: string, leaseMs: number): Promise<void>;
  /** Asks for windows, one answer each, in the same order. Does not extend the lease. */
  ask(counter: string, demands: readonly RateDemand[]): Promise<readonly RateGrant[]>;
  /**
   * Writes counts down and extends the lease. May be repeated; a window that is another's by now stays as it is.
   *
   * Not `alive`: the lease had run out, and the counter holds nothing any more. `asked`: windows others wait for.
   */
  report(
    counter: string,
    leaseMs: number,
    reports: readonly RateReport[],
  ): Promise<{ readonly alive: boolean; readonly asked: readonly RateWindow[] }>;
  /** Ends a counter; what it held is vacant. */
  leave(counter: string): Promise<void>;
  /** Ends every counter, where no other process can be at work. */
  leaveAll(): Promise<void>;
}

/** Windows in one call. */
export const MAX_WINDOWS = 500;
