import { Random } from '../rig/random.mjs';

const AT_ONCE = 8;

/**
 * Keeps the webhook requests of the platform, so that they can be delivered again. It replaces the `fetch` that simulators
 * use.
 */
export class Deliveries {
  #fetch = globalThis.fetch;
  #kept = [];
  #repeats;
  #random;
  #pending = new Set();
  #postTimes;
  /** Number of responses of the service, by status. */
  answers = {};

  constructor(postTimes) {
    this.#postTimes = postTimes;
    globalThis.fetch = (url, options) => this.#deliver(url, options);
  }

  /** From now on, repeats each delivery `times` times, up to half a second later and in random order. */
  repeat({ times, seed }) {
    this.#repeats = times;
    this.#random = new Random(seed);
  }

  /** Repeats all deliveries once, shuffled. Resolves with the number of accepted repeats, including those of `repeat`. */
  async repeatAll(seed) {
    await Promise.all(this.#pending);
    const shuffled = new Random(seed).shuffle(this.#kept);
    const next = shuffled.values();
    const worker = async () => {
      for (const one of next) await this.#redeliver(one);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    return this.#accepted;
  }

  #accepted = 0;

  async #deliver(url, options) {
    if (!String(url).includes('/hooks/')) return this.#fetch(url, options);
    const { signal: _, ...request } = options;
    if (this.#repeats !== undefined) {
      this.#kept.push({ url, request });
      for (let time = 0; time < this.#repeats; time += 1) this.#redeliverLater({ url, request });
    }
    const token = this.#postTimes.begin(options.body);
    const response = await this.#fetch(url, options);
    this.answers[response.status] = (this.answers[response.status] ?? 0) + 1;
    if (response.ok) this.#postTimes.taken(token);
    return response;
  }

  #redeliverLater(one) {
    const wait = new Promise((resolve) => setTimeout(resolve, this.#random.integer(0, 500)));
    const run = wait.then(() => this.#redeliver(one)).finally(() => this.#pending.delete(run));
    this.#pending.add(run);
  }

  /** A kept-alive connection may be closed while it is being reused. The next try opens another one. */
  async #redeliver({ url, request }, tries = 3) {
    let response;
    try {
      response = await this.#fetch(url, request);
    } catch (error) {
      if (tries <= 1) throw error;
      return this.#redeliver({ url, request }, tries - 1);
    }
    await response.arrayBuffer();
    if (response.ok) this.#accepted += 1;
  }
}
