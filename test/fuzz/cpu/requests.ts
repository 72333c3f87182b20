import { Agent } from 'node:http';
import type { Access } from '../campaign.js';
import type { Operation } from '../description.js';
import { exchange, NoAnswer, type Outgoing } from '../exchange.js';
import { translated, translatedBytes } from '../stage.js';
import { type ExpensiveRequest, expensiveRequest } from './expensive-request.js';
import { IDLE_SHARE, type MainThread, type Taken } from './main-thread.js';
import { LIMIT_MS } from './measure.js';

export interface RequestOptions {
  readonly url: string;
  readonly elsewhere: string;
  readonly seed: number;
  readonly first: number;
  readonly operations: readonly Operation[];
  readonly thread: MainThread;
  readonly limitMs: number;
  readonly ended: () => boolean;
  /** Creates the records and the session again, because requests remove them. */
  readonly renew: () => Promise<AccessByKind>;
}

interface AccessByKind {
  readonly described: Access;
  readonly undescribed: Access;
}

const TRIES = 3;
const ANSWER_MS = 60_000;
/** Interval in requests at which records are created again. */
const ROUND = 400;
const MAX_PROBLEMS = 20;
/** The number of bisection steps in the search for the smallest request that is still too slow. */
const HALVINGS = 6;

/**
 * Sends expensive requests one after the other and measures the main thread of the service. Returns one line for each request
 * that was too slow, with the smallest size that still is.
 */
export async function requestProblems(options: RequestOptions): Promise<string[]> {
  const measuring = new Measuring(options);
  try {
    return await measuring.all();
  } finally {
    measuring.close();
  }
}

class Measuring {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #problems: string[] = [];
  #sent = 0;
  #slowest = { ms: 0, name: '' };
  #access: AccessByKind | undefined;

  constructor(private readonly options: RequestOptions) {}

  async all(): Promise<string[]> {
    const { operations, first, seed, limitMs, ended, renew, thread } = this.options;
    const endsAt = performance.now() + limitMs;
    await thread.settled();
    for (let number = first; performance.now() < endsAt && !ended(); number += 1) {
      if (this.#problems.length >= MAX_PROBLEMS) break;
      if (this.#access === undefined || number % ROUND === 0) {
        this.#access = await renew();
        await thread.settled();
      }
      // Each operation gets a request before any operation gets its next one.
      const operation = operations[number % operations.length] as Operation;
      await this.#one(operation, `spend ${seed}:${number}`, number);
    }
    const all = `${this.#sent} expensive requests to ${operations.length} operations were measured`;
    console.log(`${all}; the slowest took ${this.#slowest.ms.toFixed(0)} ms: ${this.#slowest.name}`);
    return this.#problems;
  }

  close(): void {
    this.#agent.destroy();
  }

  async #one(operation: Operation, key: string, number: number): Promise<void> {
    const whole = expensiveRequest(operation, key, 1);
    const once = await this.#measure(whole);
    const name = `number ${number}, ${operation.name} with ${whole.what}`;
    // A slow request may be due to garbage collection, the compiler, or work of an earlier request.
    const ms = once.ms > LIMIT_MS ? await this.#least(operation, key, 1) : once.ms;
    if (ms > this.#slowest.ms) this.#slowest = { ms, name };
    if (ms <= LIMIT_MS) return;
    const smallest = await this.#smallest(operation, key, ms);
    const size = `${smallest.bytes} bytes, answered ${once.status}`;
    this.#problems.push(
      `${name}: ${smallest.ms.toFixed(0)} ms of the main thread for ${size}, at most ${LIMIT_MS} ms`,
    );
    console.log(this.#problems.at(-1));
  }

  async #least(operation: Operation, key: string, share: number): Promise<number> {
    let least = Number.POSITIVE_INFINITY;
    for (let tries = 0; tries < TRIES && least > LIMIT_MS; tries += 1) {
      await this.options.thread.settled();
      least = Math.min(least, (await this.#measure(expensiveRequest(operation, key, share))).ms);
    }
    return least;
  }

  async #smallest(operation: Operation, key: string, whole: number) {
    let [low, high, ms] = [0, 1, whole];
    for (let halvings = 0; halvings < HALVINGS; halvings += 1) {
      const share = (low + high) / 2;
      const taken = await this.#least(operation, key, share);
      if (taken > LIMIT_MS) [high, ms] = [share, taken];
      else low = share;
    }
    const { target, headers, body } = this.#outgoing(expensiveRequest(operation, key, high));
    const head = headers.reduce((sum, [name, value]) => sum + name.length + value.length, target.length);
    return { ms, bytes: head + (body?.length ?? 0) };
  }

  async #measure(made: ExpensiveRequest): Promise<{ ms: number; status: string }> {
    const { url, thread } = this.options;
    const outgoing = this.#outgoing(made);
    await thread.taken();
    const startedAt = performance.now();
    this.#sent += 1;
    const status = await exchange(url, outgoing, this.#agent, ANSWER_MS).then(
      (answer) => `${answer.status} ${answer.text.slice(0, 100)}`,
      (error: unknown) => {
        if (error instanceof NoAnswer) return `nothing (${error.message})`;
        throw error;
      },
    );
    const taken = await thread.taken();
    return { ms: msOf(made, taken, performance.now() - startedAt), status };
  }

  #outgoing({ undescribed, method, target, headers, body, chunked }: ExpensiveRequest): Outgoing {
    const access = this.#access?.[undescribed ? 'undescribed' : 'described'];
    const { headers: own = {}, records = new Map<string, string>() } = access ?? {};
    const { elsewhere } = this.options;
    const named = new Set(headers.map(([name]) => name.toLowerCase()));
    return {
      method,
      target: translated(target, records, elsewhere),
      headers: [...Object.entries(own).filter(([name]) => !named.has(name)), ...headers],
      body: body && translatedBytes(body, records, elsewhere),
      chunked,
    };
  }
}

/**
 * A file blocks the thread once per chunk, other requests once. On a busy machine a response takes long, and the timers of the
 * service run during that time, so the CPU time of an idle service is not counted.
 */
function msOf({ isUpload }: ExpensiveRequest, { total, longest }: Taken, elapsedMs: number): number {
  return isUpload ? longest : Math.max(longest, total - IDLE_SHARE * elapsedMs);
}
