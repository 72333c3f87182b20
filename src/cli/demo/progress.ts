import { SingleBar } from 'cli-progress';

/** A bar that grows, or lines where there is no terminal. */
export interface Bar {
  update(done: number, note: string): void;
  stop(): void;
}

const TENTHS = 10;

/** What a person sees of the demo, and what it found missing. */
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

  /** Begins the next numbered step. */
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

  /** States a fact and whether it holds. What does not hold is missing in the end. */
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

/** A duration as it is shown. */
export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}
