/** Pause between two writes. */
const PAUSE_MS = 1_000;
/** Up to this number of replaced values between two writes is not reported, because a change of state has a few steps. */
const UNCOUNTED = 3;

export interface LatestWriteOptions<Value> {
  /** Resolves with false if the write must be retried after the pause. Never throws. */
  readonly write: (value: Value) => Promise<boolean>;
  /** Values with equal keys need no second write. */
  readonly keyOf: (value: Value) => string;
  /** Reports the number of values that were replaced before they could be written. */
  readonly onReplaced: (count: number) => void;
}

/**
 * Writes the latest of values that change faster than they should be written: the first at once, then at most one per second.
 * The last one is always written, unless it equals what was written before it.
 */
export class LatestWrite<Value> {
  #wanted: { readonly value: Value } | undefined;
  #writtenKey: string | undefined;
  #replaced = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #ended = false;

  constructor(private readonly options: LatestWriteOptions<Value>) {}

  want(value: Value): void {
    if (this.#ended) return;
    if (this.#wanted !== undefined) this.#replaced += 1;
    this.#wanted = { value };
    if (this.#timer === undefined && this.#writing === undefined) this.#next();
  }

  /** Discards the waiting value and waits for the write in progress. Called before a direct write. */
  async forget(): Promise<void> {
    this.#wanted = undefined;
    await this.#writing;
    this.#wanted = undefined;
    this.#writtenKey = undefined;
  }

  /** Writes the waiting value at once. Later values are ignored. */
  async end(): Promise<void> {
    this.#ended = true;
    clearTimeout(this.#timer);
    await this.#writing;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#wanted !== undefined) await this.#write();
  }

  #next(): void {
    this.#writing = this.#write().finally(() => {
      this.#writing = undefined;
      if (!this.#ended) this.#timer = setTimeout(() => this.#afterPause(), PAUSE_MS);
    });
  }

  #afterPause(): void {
    this.#timer = undefined;
    if (this.#wanted !== undefined) this.#next();
  }

  async #write(): Promise<void> {
    const wanted = this.#wanted;
    if (wanted === undefined) return;
    this.#wanted = undefined;
    if (this.#replaced > UNCOUNTED) this.options.onReplaced(this.#replaced);
    this.#replaced = 0;
    const key = this.options.keyOf(wanted.value);
    if (key === this.#writtenKey) return;
    if (await this.options.write(wanted.value)) this.#writtenKey = key;
    else this.#wanted ??= wanted;
  }
}
