import type { Log } from '../core/common/log.js';

/** Kinds of calls that are limited. */
export type DroppedKind = 'health' | 'log' | 'receive' | 'state' | 'fetch' | 'media' | 'target';

const EVERY_MS = 10_000;

/** Counts calls of a connection that were dropped or refused, and logs the counts as one line every ten seconds. */
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

  /** Logs the counts that were not logged yet. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#counts.size === 0) return;
    const dropped = Object.fromEntries(this.#counts);
    this.#counts.clear();
    this.log.warn({ ...this.fields, dropped }, 'adapter.calls_dropped');
  }
}
