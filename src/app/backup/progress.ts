/** Minimum time between two progress lines, in milliseconds. */
const EVERY_MS = 10_000;
const MEGABYTE = 1_000_000;

/** Prints the progress of long work, one line every ten seconds. Shorter work prints nothing. */
export class Progress {
  #what = '';
  #bytes = 0;
  #next = performance.now() + EVERY_MS;

  /** When `signal` is aborted, the work ends at its next chunk. */
  constructor(
    private readonly write: (line: string) => void,
    private readonly signal?: AbortSignal,
  ) {}

  begin(what: string): void {
    this.#what = what;
    this.#bytes = 0;
    this.#tell();
  }

  /** Yields the chunks and counts their bytes. */
  async *counted(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      this.signal?.throwIfAborted();
      this.#bytes += chunk.length;
      this.#tell();
      yield chunk;
    }
  }

  #tell(): void {
    const now = performance.now();
    if (now < this.#next) return;
    this.#next = now + EVERY_MS;
    this.write(`${this.#what}: ${(this.#bytes / MEGABYTE).toFixed(1)} MB\n`);
  }
}
