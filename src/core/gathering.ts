interface Waiting<Input, Output> {
  readonly input: Input;
  readonly done: (output: Output) => void;
  readonly failed: (cause: unknown) => void;
}

export interface GatheringOptions {
  /** Inputs in one run. */
  readonly most: number;
  /** Runs under way at once. */
  readonly atOnce: number;
}

/**
 * Does together what is asked for at the same time: while `atOnce` runs are under way, the next inputs gather. An input
 * that comes alone is never held back. A run that fails is repeated for each of its inputs alone, so that one can't
 * spoil the others: `run` must bear repetition, and answers its inputs in their order.
 */
export class Gathering<Input, Output> {
  #waiting: Waiting<Input, Output>[] = [];
  #running = 0;
  #due = false;

  constructor(
    private readonly run: (inputs: readonly Input[]) => Promise<readonly Output[]>,
    private readonly options: GatheringOptions,
  ) {}

  /** Resolves with the input's output. */
  add(input: Input): Promise<Output> {
    return new Promise((done, failed) => {
      this.#waiting.push({ input, done, failed });
      this.#wake();
    });
  }

  /** What arrived in the same turn of the event loop goes together. */
  #wake(): void {
    if (this.#due || this.#running >= this.options.atOnce) return;
    this.#due = true;
    setImmediate(() => {
      this.#due = false;
      this.#start();
    });
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
