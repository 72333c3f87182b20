import type { JsonValue } from '../json.js';

/** One request as the simulated platform received it. */
export interface LedgerEntry {
  /** Consecutive from 1. */
  readonly number: number;
  /** Unix milliseconds of arrival. */
  readonly at: number;
  /** The platform's name of the call, such as `sendMessage` or `POST /channels/:id/messages`. */
  readonly call: string;
  readonly chatId?: string;
  readonly request: JsonValue;
  readonly status: number;
  /** Whether the call changed the platform, even if its response was lost. */
  readonly committed: boolean;
  /** The name of the injected fault, if any. */
  readonly fault?: string;
}

/** The requests that a simulator received, in the order of arrival. The oldest are dropped above `capacity`. */
export class Ledger {
  #entries: LedgerEntry[] = [];
  #number = 0;
  readonly #capacity: number;
  readonly #counts = new Map<string, number>();

  constructor(capacity = 200_000) {
    this.#capacity = capacity;
  }

  record(entry: Omit<LedgerEntry, 'number'>): void {
    this.#number += 1;
    this.#entries.push({ ...entry, number: this.#number });
    if (this.#entries.length > this.#capacity * 1.1) this.#entries = this.#entries.slice(-this.#capacity);
    this.#counts.set(entry.call, (this.#counts.get(entry.call) ?? 0) + 1);
  }

  entries(call?: string): readonly LedgerEntry[] {
    return call === undefined ? this.#entries : this.#entries.filter((entry) => entry.call === call);
  }

  /** The last of these calls for the chat, unless it is older than `maxAgeMs`. */
  last(calls: readonly string[], chatId: string, maxAgeMs: number): LedgerEntry | undefined {
    const since = Date.now() - maxAgeMs;
    for (let index = this.#entries.length - 1; index >= 0; index -= 1) {
      const entry = this.#entries[index];
      if (entry === undefined || entry.at < since) return undefined;
      if (entry.chatId === chatId && calls.includes(entry.call)) return entry;
    }
    return undefined;
  }

  /** The number of requests per call since the start, including dropped entries. */
  counts(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#counts].sort(([a], [b]) => a.localeCompare(b)));
  }

  clear(): void {
    this.#entries = [];
    this.#counts.clear();
  }
}
