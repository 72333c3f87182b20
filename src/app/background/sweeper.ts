import type { Log } from '../../core/common/log.js';

/** One task of each round. */
export interface Sweep {
  readonly name: string;
  run(): Promise<unknown>;
}

const EVERY_MS = 5_000;

/**
 * Finds work whose job was lost, whose worker died or whose time has come. Because of it, the queue may be emptied at any time
 * without a loss. Any number of processes may sweep.
 */
export class Sweeper {
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #stopped = true;

  constructor(
    private readonly sweeps: readonly Sweep[],
    private readonly log: Log,
    /** Pause between two rounds. */
    private readonly restMs = () => EVERY_MS,
  ) {}

  start(): void {
    this.#stopped = false;
    this.#schedule();
  }

  /** Resolves when the sweep in progress is done. The rest of its round is left to other processes or to the next start. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  #schedule(): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#round().then(() => this.#schedule());
    }, this.restMs());
  }

  /** Runs every sweep once. A failed sweep does not prevent the others. */
  async #round(): Promise<void> {
    for (const sweep of this.sweeps) {
      if (this.#stopped) return;
      try {
        await sweep.run();
      } catch (err) {
        this.log.warn({ err, sweep: sweep.name }, 'sweep.failed');
      }
    }
  }
}
