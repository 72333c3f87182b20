interface Entry {
  readonly at: number;
  readonly order: number;
  readonly act: () => void;
}

/** Scheduled actions on a simulated clock. A heap keeps the earliest entry first; entries of the same time keep their order. */
export class Agenda {
  /** Milliseconds since the start. */
  now = 0;
  readonly #heap: Entry[] = [];
  #added = 0;

  add(at: number, act: () => void): void {
    const entry = { at: Math.max(at, this.now), order: this.#added, act };
    this.#added += 1;
    let place = this.#heap.length;
    this.#heap.push(entry);
    while (place > 0) {
      const above = (place - 1) >> 1;
      const other = this.#heap[above];
      if (other === undefined || !isBefore(entry, other)) break;
      this.#heap[place] = other;
      place = above;
    }
    this.#heap[place] = entry;
  }

  /** Advances the clock to the next entry and runs it. Returns false if no entry is left. */
  advance(): boolean {
    const first = this.#heap[0];
    const last = this.#heap.pop();
    if (first === undefined || last === undefined) return false;
    if (this.#heap.length > 0) this.#sink(last);
    this.now = first.at;
    first.act();
    return true;
  }

  #sink(entry: Entry): void {
    const heap = this.#heap;
    let place = 0;
    for (;;) {
      const left = heap[2 * place + 1];
      const right = heap[2 * place + 2];
      const isRight = left !== undefined && right !== undefined && isBefore(right, left);
      const least = isRight ? right : left;
      if (least === undefined || !isBefore(least, entry)) break;
      heap[place] = least;
      place = 2 * place + (isRight ? 2 : 1);
    }
    heap[place] = entry;
  }
}

const isBefore = (one: Entry, other: Entry): boolean =>
  one.at < other.at || (one.at === other.at && one.order < other.order);
