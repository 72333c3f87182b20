import type { Log } from '../../core/common/log.js';
import type { TvStore } from '../../core/extras/tv/ports.js';
import type { RefreshGuides } from '../../core/extras/tv/refresh.js';

/** Interval of checks whether a source is due. */
const EVERY_MS = 30_000;

/** Keeps the television guide up to date while the process runs. All sources are checked at startup. */
export class GuideRefresher {
  readonly #stop = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(
    private readonly refresh: RefreshGuides,
    private readonly store: TvStore,
    private readonly log: Log,
  ) {}

  /** Resolves when the sources are stored. They are read in the background. */
  async start(sources: readonly string[]): Promise<void> {
    await this.store.setSources(sources);
    if (sources.length > 0) this.#check();
  }

  /** Aborts a refresh in progress. The next start repeats it. */
  async stop(): Promise<void> {
    this.#stop.abort();
    clearTimeout(this.#timer);
    await this.#running;
  }

  #check(): void {
    this.#running = this.refresh
      .run(this.#stop.signal)
      .catch((err: unknown) => this.log.warn({ err }, 'guides.failed'))
      .then(() => {
        if (!this.#stop.signal.aborted) this.#timer = setTimeout(() => this.#check(), EVERY_MS);
      });
  }
}
