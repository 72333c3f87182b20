import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import {
  type AdapterHost,
  type Envelope,
  type HealthReport,
  type MediaFile,
  PlatformError,
} from '../../src/contract/index.js';
import { PATIENCE_MS } from './wait-for.js';

/** A host for adapter tests. It stores envelopes, deduplicates them like the store, and can simulate failures. */
export class RecordingHost implements AdapterHost {
  readonly envelopes: Envelope[] = [];
  readonly reports: HealthReport[] = [];
  readonly #seen = new Set<string>();
  readonly #state = new Map<string, string>();
  #waiting: (() => void)[] = [];
  #failuresLeft = 0;
  /** If set, `receive` rejects with it, as if the database were unavailable. */
  failure: Error | undefined;
  /** The number of calls of `receive`, including repeats. */
  received = 0;

  constructor(readonly webhookUrl = 'https://bridge.example/hooks/test/1') {}

  /** The next calls of `receive` reject and later ones succeed: for platforms that retry only a few times. */
  failNext(times: number): void {
    this.#failuresLeft = times;
  }

  async receive(envelope: Envelope): Promise<void> {
    this.received += 1;
    this.#wake();
    if (this.#failuresLeft > 0) {
      this.#failuresLeft -= 1;
      throw new Error('The database is away.');
    }
    if (this.failure !== undefined) throw this.failure;
    if (!this.#seen.has(envelope.dedupeKey)) {
      this.#seen.add(envelope.dedupeKey);
      this.envelopes.push(structuredClone(envelope));
    }
    this.#wake();
  }

  health(report: HealthReport): void {
    this.reports.push(report);
    this.#wake();
  }

  readonly state = {
    load: async (name: string) => this.#state.get(name),
    save: async (name: string, value: string | null) => {
      if (value === null) this.#state.delete(name);
      else this.#state.set(name, value);
    },
    replace: async (name: string, expected: string | null, value: string | null) => {
      if ((this.#state.get(name) ?? null) !== expected) return false;
      if (value === null) this.#state.delete(name);
      else this.#state.set(name, value);
      return true;
    },
  };

  /** The value that the adapter saved under a name. */
  saved(name: string): string | undefined {
    return this.#state.get(name);
  }

  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    return fetch(input, init);
  }

  /** Stored copies by their reference. */
  readonly media = new Map<string, MediaFile>();

  async openMedia(ref: string): Promise<MediaFile> {
    const found = this.media.get(ref);
    if (found !== undefined) return found;
    const reason = 'media_unavailable';
    throw new PlatformError({ kind: 'rejected', reason }, { dispatched: 'no', message: 'It is gone.' });
  }

  async assertTarget(_url: string): Promise<LookupFunction> {
    return lookup;
  }

  readonly log = { debug: ignore, info: ignore, warn: ignore, error: ignore };

  /** Resolves once `condition` is true; checked after every envelope and health report. Rejects on timeout. */
  async until(condition: () => boolean): Promise<void> {
    const deadline = Date.now() + PATIENCE_MS;
    while (!condition()) {
      const left = deadline - Date.now();
      if (left <= 0) throw new Error('The awaited condition did not come true in time.');
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.min(left, 25));
        this.#waiting.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}

function ignore(): undefined {
  return undefined;
}
