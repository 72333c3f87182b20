/** Milliseconds between two lines about the same work. */
const EVERY_MS = 10_000;
const MEGABYTE = 1_000_000;

/** Says what long work does: a line every ten seconds, and nothing of work that ends before. */
export class Progress {
  #what = '';
  #bytes = 0;
  #next = performance.now() + EVERY_MS;

  /** An aborted `signal` ends the work at its next chunk. */
  constructor(
    private readonly write: (line: string) => void,
    private readonly signal?: AbortSignal,
  ) {}

  begin(what: string): void {
    this.#what = what;
    this.#bytes = 0;
    this.#tell();
  }

  /** Passes the chunks on and counts their bytes. */
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
