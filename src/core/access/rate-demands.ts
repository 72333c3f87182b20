import type { RateWindow } from './rate-windows.js';

interface WaitingRequest {
  readonly resolve: (used: number | undefined) => void;
  readonly reject: (error: unknown) => void;
  /** Waits no longer than until then. */
  readonly until: number;
}

/** Requests of one window that wait to be counted. */
export interface WaitingRequests extends RateWindow {
  readonly name: string;
  readonly requests: WaitingRequest[];
  /** Of the latest request: a limit may be changed. */
  limit: number;
  /** Not to be asked for before; 0: at once. */
  askAt: number;
}

/** A name for a window; its order is the one in which processes lock windows. */
export function nameOf({ bucket, hour }: RateWindow): string {
  return `${bucket} ${hour}`;
}

/** The requests that wait, by their window. */
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

  /** What is to be asked for now, in the order of names. */
  ready(most: number): WaitingRequests[] {
    const ready = this.all().filter(({ askAt }) => askAt === 0);
    return ready.slice(0, most).sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  postpone(demand: WaitingRequests, askAt: number): void {
    demand.askAt = askAt;
  }

  /** Makes what was postponed ready; whether there was something. */
  retry(name: string): boolean {
    const demand = this.waiting.get(name);
    if (demand === undefined) return false;
    demand.askAt = 0;
    return true;
  }

  retryDue(now: number): void {
    for (const demand of this.waiting.values()) if (demand.askAt <= now) demand.askAt = 0;
  }

  /** Forgets a demand without waiters. */
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
