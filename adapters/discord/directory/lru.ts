/**
 * A map of bounded size. Setting a key makes it the newest; the oldest key is dropped above the limit. Reading does not
 * change the order.
 */
export class LruMap<Value> {
  readonly #values = new Map<string, Value>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  get(key: string): Value | undefined {
    return this.#values.get(key);
  }

  set(key: string, value: Value): void {
    this.#values.delete(key);
    this.#values.set(key, value);
    const [oldest] = this.#values.keys();
    if (this.#values.size > this.#most && oldest !== undefined) this.#values.delete(oldest);
  }

  entries(): [string, Value][] {
    return [...this.#values];
  }

  delete(key: string): void {
    this.#values.delete(key);
  }
}
