import type { Log } from '../core/common/log.js';

/** What an adapter repeats too often, by kind. */
export type DroppedKind = 'health' | 'log' | 'receive' | 'state' | 'fetch' | 'media' | 'target';

const EVERY_MS = 10_000;

/** Counts what was dropped or refused of a connection's calls and logs the counts, one line for all of ten seconds. */
export class Dropped {
  readonly #counts = new Map<DroppedKind, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly log: Log,
    private readonly fields: { readonly connection_id: string; readonly platform: string },
  ) {}

  note(kind: DroppedKind, count = 1): void {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + count);
    this.#timer ??= setTimeout(() => this.flush(), EVERY_MS);
    this.#timer.unref?.();
  }

  /** Logs what was not logged yet. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#counts.size === 0) return;
    const dropped = Object.fromEntries(this.#counts);
    this.#counts.clear();
    this.log.warn({ ...this.fields, dropped }, 'adapter.calls_dropped');
  }
}
