import type { RateWindow } from './rate-windows.js';

interface WaitingRequest {
  readonly resolve: (used: number | undefined) => void;
  readonly reject: (error: unknown) => void;
  /** Time at which the request stops waiting. */
  readonly until: number;
}

/** Requests of one window that wait to be counted. */
export interface WaitingRequests extends RateWindow {
  readonly name: string;
  readonly requests: WaitingRequest[];
  /** The limit of the latest request, because a limit may change. */
  limit: number;
  /** Earliest time of the next call to the database; 0 means immediately. */
  askAt: number;
}

/** The name of a window. Processes lock windows in the order of their names. */
export function nameOf({ bucket, hour }: RateWindow): string {
  return `${bucket} ${hour}`;
}

/** Waiting requests, grouped by window. */
export class RateDemands {
  private readonly waiting = new Map<string, WaitingRequests>();

  add(window: RateWindow, limit: number, until: number): Promise<number | undefined> {
    const name = nameOf(window);
    const demand = this.waiting.get(name) ?? { ...window, name, requests: [], limit, askAt: 0 };
    demand.limit = limit;
    this.waiting.set(name, demand);
    return new Promise((resolve, reject) => demand.requests.push({ resolve, reject, until }));
  }

  has(name: string): boolean {
    return this.waiting.has(name);
  }

  isWaiting(): boolean {
    return this.waiting.size > 0;
  }

  isReady(): boolean {
    for (const { askAt } of this.waiting.values()) if (askAt === 0) return true;
    return false;
  }

  all(): WaitingRequests[] {
    return [...this.waiting.values()];
  }

  /** Demands that may be sent now, ordered by name. */
  ready(maxDemands: number): WaitingRequests[] {
    const ready = this.all().filter(({ askAt }) => askAt === 0);
    return ready.slice(0, maxDemands).sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  postpone(demand: WaitingRequests, askAt: number): void {
    demand.askAt = askAt;
  }

  /** Makes a postponed demand ready. Returns whether there was one. */
  retry(name: string): boolean {
    const demand = this.waiting.get(name);
    if (demand === undefined) return false;
    demand.askAt = 0;
    return true;
  }

  retryDue(now: number): void {
    for (const demand of this.waiting.values()) if (demand.askAt <= now) demand.askAt = 0;
  }

  /** Removes a demand that has no waiting requests. */
  settle(demand: WaitingRequests): void {
    if (demand.requests.length === 0) this.waiting.delete(demand.name);
  }

  rejectLate(now: number, error: () => Error): void {
    for (const demand of this.all()) {
      while ((demand.requests[0]?.until ?? now) < now) demand.requests.shift()?.reject(error());
      this.settle(demand);
    }
  }

  rejectAll(error: unknown): void {
    for (const { requests } of this.waiting.values()) for (const { reject } of requests) reject(error);
    this.waiting.clear();
  }
}
