import { nameOf } from './rate-demands.js';
import { HOUR_MS } from './rate-limit.js';
import { MAX_WINDOWS, type RateReport, type RateWindow } from './rate-windows.js';

/** A window without requests for this long is returned. */
const IDLE_MS = 60_000;

/** A window in which this process counts, or whose count it knows. */
export interface CountedWindow extends RateWindow {
  used: number;
  usedAt: number;
  /** `held`: counted here. `returning`: to be returned. `shared`: counted in the database by several processes. */
  state: 'held' | 'returning' | 'shared';
}

/** Counts for one call to the database, in the order of the names of their windows. */
export type Batch = readonly { readonly window: CountedWindow; readonly report: RateReport }[];

/** The windows of one process, and which of their counts the database does not have yet. */
export class CountedWindows {
  readonly #windows = new Map<string, CountedWindow>();
  readonly #unreported = new Set<CountedWindow>();
  readonly #returning = new Set<CountedWindow>();

  get size(): number {
    return this.#windows.size;
  }

  get hasUnreported(): boolean {
    return this.#unreported.size > 0;
  }

  get hasReturning(): boolean {
    return this.#returning.size > 0;
  }

  get(name: string): CountedWindow | undefined {
    return this.#windows.get(name);
  }

  add({ bucket, hour, used, usedAt, state }: CountedWindow): void {
    this.#windows.set(nameOf({ bucket, hour }), { bucket, hour, used, usedAt, state });
  }

  /** Counts one request in a held window. Returns its number in the window. */
  count(window: CountedWindow, now: number): number {
    window.used += 1;
    window.usedAt = now;
    this.#unreported.add(window);
    return window.used;
  }

  /** Marks those of the windows that are held as to be returned. */
  release(names: Iterable<string>): void {
    for (const name of names) {
      const window = this.#windows.get(name);
      if (window?.state === 'held') this.#return(window);
    }
  }

  /** Returns windows of past hours and unused ones. `time` is the wall clock, which determines the hour. */
  releaseOld(now: number, time: number): void {
    for (const [name, window] of this.#windows) {
      if (time < window.hour + HOUR_MS && now - window.usedAt < IDLE_MS) continue;
      if (window.state === 'shared') this.#windows.delete(name);
      else this.#return(window);
    }
  }

  holdsAny(): boolean {
    for (const { state } of this.#windows.values()) if (state !== 'shared') return true;
    return false;
  }

  nextBatch(): Batch {
    const windows = [...new Set([...this.#returning, ...this.#unreported])]
      .slice(0, MAX_WINDOWS)
      .sort(byName);
    return windows.map((window) => {
      const { bucket, hour, used, state } = window;
      return { window, report: { bucket, hour, used, returned: state === 'returning' } };
    });
  }

  /** The database has the counts of a batch. */
  reported(batch: Batch): void {
    for (const { window, report } of batch) {
      // More requests may have been counted during the call, but not in a window that is being returned.
      if (window.used === report.used) this.#unreported.delete(window);
      if (report.returned && this.#returning.delete(window)) this.#windows.delete(nameOf(window));
    }
  }

  /** Drops all held windows. Returns the number of windows with counts that the database does not have. */
  dropHeld(): number {
    const lost = this.#unreported.size;
    this.#unreported.clear();
    this.#returning.clear();
    for (const [name, { state }] of this.#windows) if (state !== 'shared') this.#windows.delete(name);
    return lost;
  }

  #return(window: CountedWindow): void {
    window.state = 'returning';
    this.#returning.add(window);
  }
}

function byName(one: RateWindow, other: RateWindow): number {
  return nameOf(one) < nameOf(other) ? -1 : 1;
}
