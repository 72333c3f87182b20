import { isDatabaseAway } from './database-away.js';

interface Waiting<Input, Output> {
  readonly input: Input;
  readonly done: (output: Output) => void;
  readonly failed: (cause: unknown) => void;
}

export interface BatcherOptions {
  /** Inputs in one run. */
  readonly most: number;
  /** Runs under way at once. */
  readonly atOnce: number;
  /**
   * A run that finds the database away, or everything behind a lock, speaks for those who wait as well: one run after the
   * other would take as long to find the same, and each answer has a waiting caller.
   */
  readonly failsTogether?: boolean;
}

/**
 * Does together what is asked for at the same time: while `atOnce` runs are under way, the next inputs gather. An input
 * that comes alone is not held back, unless who gives it knows that others are about to come. A run that fails is
 * repeated for each of its inputs alone, so that one can't spoil the others: `run` must bear repetition, and answers its
 * inputs in their order. A database that is away is away for all of them, and each may have waited long already.
 */
export class Batcher<Input, Output> {
  #waiting: Waiting<Input, Output>[] = [];
  #running = 0;
  /** The next start. */
  #due: { readonly waits: boolean; readonly cancel: () => void } | undefined;

  constructor(
    private readonly run: (inputs: readonly Input[]) => Promise<readonly Output[]>,
    private readonly options: BatcherOptions,
  ) {}

  /** Resolves with the input's output. A run that begins with it waits so long for others. */
  add(input: Input, waitMs = 0): Promise<Output> {
    return new Promise((done, failed) => {
      this.#waiting.push({ input, done, failed });
      this.#wake(waitMs);
    });
  }

  /** What arrived in the same turn of the event loop goes together. */
  #wake(waitMs: number): void {
    if (this.#running >= this.options.atOnce) return;
    if (this.#due?.waits && waitMs === 0) this.#due.cancel();
    else if (this.#due !== undefined) return;
    const start = () => {
      this.#due = undefined;
      this.#start();
    };
    if (waitMs > 0) {
      const timer = setTimeout(start, waitMs);
      this.#due = { waits: true, cancel: () => clearTimeout(timer) };
    } else {
      const turn = setImmediate(start);
      this.#due = { waits: false, cancel: () => clearImmediate(turn) };
    }
  }

  #start(): void {
    while (this.#waiting.length > 0 && this.#running < this.options.atOnce) {
      this.#running += 1;
      void this.#finish(this.#waiting.splice(0, this.options.most)).finally(() => {
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
