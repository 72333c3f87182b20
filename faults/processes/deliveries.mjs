import { Random } from '../rig/random.mjs';

const AT_ONCE = 8;

/**
 * What the platform delivers by webhook, kept so that it can be delivered again: simulators use the `fetch` of their
 * process, which this one stands before.
 */
export class Deliveries {
  #fetch = globalThis.fetch;
  #kept = [];
  #wanted;
  #random;
  #underWay = new Set();
  #told;
  /** Answers by status: what the service said to whoever brought something. */
  answers = {};

  constructor(told) {
    this.#told = told;
    globalThis.fetch = (url, options) => this.#deliver(url, options);
  }

  /** From now on each delivery is made so many times more, somewhat later and in any order. */
  repeat({ times, seed }) {
    this.#wanted = times;
    this.#random = new Random(seed);
  }

  /** Makes all of them once more, shuffled; resolves with how many were taken, those of `repeat` included. */
  async repeatAll(seed) {
    await Promise.all(this.#underWay);
    const shuffled = new Random(seed).shuffle(this.#kept);
    const next = shuffled.values();
    const worker = async () => {
      for (const one of next) await this.#again(one);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    return this.#taken;
  }

  #taken = 0;

  async #deliver(url, options) {
    if (!String(url).includes('/hooks/')) return this.#fetch(url, options);
    const { signal: _, ...request } = options;
    if (this.#wanted !== undefined) {
      this.#kept.push({ url, request });
      for (let time = 0; time < this.#wanted; time += 1) this.#later({ url, request });
    }
    const token = this.#told.begin(options.body);
    const response = await this.#fetch(url, options);
    this.answers[response.status] = (this.answers[response.status] ?? 0) + 1;
    if (response.ok) this.#told.taken(token);
    return response;
  }

  #later(one) {
    const wait = new Promise((resolve) => setTimeout(resolve, this.#random.integer(0, 500)));
    const run = wait.then(() => this.#again(one)).finally(() => this.#underWay.delete(run));
    this.#underWay.add(run);
  }

  /** A connection that was kept open may be closed at the moment in which it is used again; the next try gets another. */
  async #again({ url, request }, tries = 3) {
    let response;
    try {
      response = await this.#fetch(url, request);
    } catch (error) {
      if (tries <= 1) throw error;
      return this.#again({ url, request }, tries - 1);
    }
    await response.arrayBuffer();
    if (response.ok) this.#taken += 1;
  }
}
