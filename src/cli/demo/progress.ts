import { SingleBar } from 'cli-progress';

/** A progress bar, or lines if the output is not a terminal. */
export interface Bar {
  update(done: number, note: string): void;
  stop(): void;
}

const TENTHS = 10;

/** The output of the demo, and the facts that did not hold. */
export class Progress {
  readonly missing: string[] = [];
  readonly #startedAt = Date.now();
  #steps = 0;

  constructor(
    private readonly total: number,
    private readonly out: NodeJS.WriteStream = process.stdout,
  ) {}

  get elapsedMs(): number {
    return Date.now() - this.#startedAt;
  }

  /** Starts the next numbered step. */
  step(title: string): void {
    this.#steps += 1;
    this.line(`\n[${this.#steps}/${this.total}] ${title}`);
  }

  line(text: string): void {
    this.out.write(`${text}\n`);
  }

  note(text: string): void {
    this.line(`      ${text}`);
  }

  /** Prints a fact and whether it holds. A fact that does not hold is added to `missing`. */
  check(holds: boolean, fact: string): void {
    this.line(`  ${holds ? 'ok  ' : 'FAIL'} ${fact}`);
    if (!holds) this.missing.push(fact);
  }

  bar(total: number, label: string): Bar {
    return this.out.isTTY ? this.#drawn(total, label) : this.#written(total, label);
  }

  #drawn(total: number, label: string): Bar {
    const bar = new SingleBar({
      format: `      ${label} {bar} {value}/{total}  {note}`,
      stream: this.out,
      hideCursor: true,
      barsize: 30,
    });
    bar.start(total, 0, { note: '' });
    return { update: (done, note) => bar.update(done, { note }), stop: () => bar.stop() };
  }

  #written(total: number, label: string): Bar {
    let shown = -1;
    return {
      update: (done, note) => {
        const tenth = Math.floor((done * TENTHS) / total);
        if (tenth === shown) return;
        shown = tenth;
        this.note(`${label} ${done}/${total}  ${note}`);
      },
      stop: () => undefined,
    };
  }
}

/** Formats a duration. */
export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}
