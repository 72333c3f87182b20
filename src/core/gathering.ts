interface Waiting<Input, Output> {
  readonly input: Input;
  /** On the clock of `performance`: from then on it is not held back. */
  readonly until: number;
  readonly done: (output: Output) => void;
  readonly failed: (cause: unknown) => void;
}

export interface GatheringOptions {
  /** Inputs in one run. */
  readonly most: number;
  /** Runs under way at once. */
  readonly atOnce: number;
  /** So many make a run worth its while: none of them is held back any longer. */
  readonly enough?: number;
}

/**
 * Does together what is asked for at the same time: while `atOnce` runs are under way, the next inputs gather. An input
 * that comes alone is only held back if it is told to be patient. A run that fails is repeated for each of its inputs alone, so that one can't
 * spoil the others: `run` must bear repetition, and answers its inputs in their order.
 */
export class Gathering<Input, Output> {
  #waiting: Waiting<Input, Output>[] = [];
  #running = 0;
  #due = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly run: (inputs: readonly Input[]) => Promise<readonly Output[]>,
    private readonly options: GatheringOptions,
  ) {}

  /** Resolves with the input's output. It may be held back for `patienceMs`, so that others join it. */
  add(input: Input, patienceMs = 0): Promise<Output> {
    return new Promise((done, failed) => {
      this.#waiting.push({ input, until: performance.now() + patienceMs, done, failed });
      this.#wake();
    });
  }

  /** What arrived in the same turn of the event loop goes together. */
  #wake(): void {
    if (this.#due || this.#running >= this.options.atOnce || this.#waiting.length === 0) return;
    clearTimeout(this.#timer);
    const holdMs = this.#holdMs();
    if (holdMs > 0) {
      this.#timer = setTimeout(() => this.#wake(), holdMs);
      return;
    }
    this.#due = true;
    setImmediate(() => {
      this.#due = false;
      this.#start();
    });
  }

  /** How long all that wait can be held back. */
  #holdMs(): number {
    const { most, enough = most } = this.options;
    if (this.#waiting.length >= enough) return 0;
    return Math.min(...this.#waiting.map(({ until }) => until)) - performance.now();
  }

  #start(): void {
    while (this.#waiting.length > 0 && this.#running < this.options.atOnce) {
      this.#running += 1;
      void this.#finish(this.#waiting.splice(0, this.options.most)).finally(() => {
        this.#running -= 1;
        this.#wake();
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
      const [only] = group;
      if (group.length === 1) only?.failed(cause);
      else await Promise.all(group.map((each) => this.#finish([each])));
    }
  }
}
