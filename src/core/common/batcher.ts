import { apart } from './apart.js';
import { isDatabaseAway } from './database-away.js';

interface Waiting<Input, Output> {
  readonly input: Input;
  readonly done: (output: Output) => void;
  readonly failed: (cause: unknown) => void;
}

export interface BatcherOptions {
  /** Maximum number of inputs per batch. */
  readonly maxItems: number;
  /** Maximum number of concurrent batches. */
  readonly atOnce: number;
  /**
   * When a batch finds the database unavailable or locked, all waiting inputs fail with the same error. Otherwise each
   * further batch would take as long to fail while its callers wait.
   */
  readonly failsTogether?: boolean;
}

/**
 * Runs concurrent inputs in batches. While `atOnce` batches are in progress, further inputs wait and form the next one.
 * A single input is not delayed, unless `add` is called with a wait.
 *
 * `run` returns one output per input in the same order. It must be repeatable: a failed batch is repeated for each
 * input alone, so that one input does not fail the others. When the database is unavailable, all inputs of the batch
 * fail without a repetition.
 */
export class Batcher<Input, Output> {
  #waiting: Waiting<Input, Output>[] = [];
  #running = 0;
  /** The scheduled start of the next batch. */
  #due: { readonly waits: boolean; readonly cancel: () => void } | undefined;

  constructor(
    private readonly run: (inputs: readonly Input[]) => Promise<readonly Output[]>,
    private readonly options: BatcherOptions,
  ) {}

  /** Resolves with the output of the input. If the input starts a batch, the batch waits `waitMs` for further inputs. */
  add(input: Input, waitMs = 0): Promise<Output> {
    return new Promise((done, failed) => {
      this.#waiting.push({ input, done, failed });
      this.#wake(waitMs);
    });
  }

  /** Inputs of one iteration of the event loop form one batch. */
  #wake(waitMs: number): void {
    if (this.#running >= this.options.atOnce) return;
    if (this.#due?.waits && waitMs === 0) this.#due.cancel();
    else if (this.#due !== undefined) return;
    const start = () => {
      this.#due = undefined;
      apart(() => this.#start());
    };
    if (waitMs > 0) {
      const timer = setTimeout(start, waitMs);
      this.#due = { waits: true, cancel: () => clearTimeout(timer) };
    } else {
      const immediate = setImmediate(start);
      this.#due = { waits: false, cancel: () => clearImmediate(immediate) };
    }
  }

  #start(): void {
    while (this.#waiting.length > 0 && this.#running < this.options.atOnce) {
      this.#running += 1;
      void this.#finish(this.#waiting.splice(0, this.options.maxItems)).finally(() => {
        this.#running -= 1;
        if (this.#waiting.length > 0) this.#wake(0);
      });
    }
  }

  async #finish(group: readonly Waiting<Input, Output>[]): Promise<void> {
    try {
      const outputs = await this.run(group.map(({ input }) => input));
      group.forEach(({ done }, index) => {
        done(outputs[index] as Output);
      });
    } catch (cause) {
      const isAway = isDatabaseAway(cause);
      const waiting = isAway && this.options.failsTogether ? this.#waiting.splice(0) : [];
      if (group.length === 1 || isAway) for (const { failed } of [...group, ...waiting]) failed(cause);
      else await Promise.all(group.map((each) => this.#finish([each])));
    }
  }
}
