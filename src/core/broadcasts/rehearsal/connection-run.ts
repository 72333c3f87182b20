import type { RateBucket } from '../../../contract/index.js';
import { leasedAhead, maxWritesOf, WRITE_MS } from '../../deliveries/dispatch/lease-sizes.js';
import { BETWEEN_PARTS_MS } from '../../deliveries/send/write-gate.js';
import { type AccountRate, TIMEOUT_MS } from '../../rates/rates.js';
import type { Agenda } from './agenda.js';
import { AccountPermits, BucketCapacity } from './pacing.js';

/** One call to the platform. */
export interface Call {
  /** Number of permits of the account that the call uses. */
  readonly cost: number;
  /** Whether the call writes a part. False: it opens the chat. */
  readonly isPart: boolean;
  /** Rate buckets of the recipient's own chat. Equal keys within the calls of one recipient refer to the same bucket. */
  readonly own: readonly RateBucket[];
  /** Rate buckets that all recipients of the connection share. */
  readonly shared: readonly RateBucket[];
}

/** The calls that a recipient needs. */
export type Calls = readonly Call[];

export interface ConnectionFigures {
  readonly calls: number;
  /** Number of permits of the account that the calls used. */
  readonly permits: number;
  readonly sent: number;
  readonly firstMs: number;
  readonly lastMs: number;
}

interface Task {
  readonly calls: Calls;
  next: number;
  hasBegun: boolean;
  buckets: Map<string, BucketCapacity> | undefined;
}

/** Simulates the dispatcher of one connection: slots, permits of the account, and rate limits of chats. */
export class ConnectionRun {
  readonly #queue: Calls[] = [];
  #taken = 0;
  readonly #again: Task[] = [];
  readonly #shared = new Map<string, BucketCapacity>();
  readonly #permits: AccountPermits | undefined;
  readonly #slots: number;
  readonly #ahead: number;
  #active = 0;
  #waiting = 0;
  #figures = { calls: 0, permits: 0, sent: 0, firstMs: Number.POSITIVE_INFINITY, lastMs: 0 };

  /** `from`: the time until which the platform asked the account to wait. `onSent`: called when a recipient is finished. */
  constructor(
    private readonly agenda: Agenda,
    account: AccountRate | null,
    private readonly from: number,
    private readonly onSent: () => void,
    private readonly writeMs: number = WRITE_MS,
  ) {
    this.#permits = account === null ? undefined : new AccountPermits(account, from);
    this.#slots = maxWritesOf(account);
    this.#ahead = account === null ? this.#slots : leasedAhead(account);
  }

  get figures(): ConnectionFigures {
    return this.#figures;
  }

  add(calls: Calls): void {
    this.#queue.push(calls);
  }

  /** Starts tasks while slots are free. */
  admit(): void {
    while (this.#active < this.#slots && this.#waiting < this.#ahead) {
      const task = this.#again.shift() ?? this.#nextTask();
      if (task === undefined) return;
      this.#active += 1;
      if (!task.hasBegun) this.#waiting += 1;
      this.#ask(task);
    }
  }

  #nextTask(): Task | undefined {
    const calls = this.#queue[this.#taken];
    if (calls === undefined) return undefined;
    this.#taken += 1;
    // Removes taken entries in large batches.
    if (this.#taken > 4_096) {
      this.#queue.splice(0, this.#taken);
      this.#taken = 0;
    }
    return { calls, next: 0, hasBegun: false, buckets: undefined };
  }

  #ask(task: Task): void {
    const { now } = this.agenda;
    const call = task.calls[task.next];
    if (call === undefined) return this.#end(task);
    const buckets = this.#bucketsOf(task, call);
    const at = buckets.reduce((latest, capacity) => Math.max(latest, capacity.at(now, call.cost)), now);
    const hasPart = task.calls.slice(0, task.next).some(({ isPart }) => isPart);
    if (at - now > (hasPart ? BETWEEN_PARTS_MS : TIMEOUT_MS)) return this.#putOff(task, at);
    for (const capacity of buckets) capacity.take(at, call.cost);
    if (at > now) this.agenda.add(at, () => this.#awaitPermit(task, call));
    else this.#awaitPermit(task, call);
  }

  #bucketsOf(task: Task, { own, shared }: Call): BucketCapacity[] {
    if (own.length === 0 && shared.length === 0) return [];
    task.buckets ??= new Map();
    const mine = task.buckets;
    const bucketIn = (buckets: Map<string, BucketCapacity>) => (bucket: RateBucket) => {
      const capacity = buckets.get(bucket.key) ?? new BucketCapacity(bucket.count, bucket.perMs);
      buckets.set(bucket.key, capacity);
      return capacity;
    };
    return [...own.map(bucketIn(mine)), ...shared.map(bucketIn(this.#shared))];
  }

  /** Postpones a task whose chat has no capacity for longer than a task is kept. Its slot is free until then. */
  #putOff(task: Task, until: number): void {
    this.#active -= 1;
    if (!task.hasBegun) this.#waiting -= 1;
    this.agenda.add(until, () => {
      this.#again.push(task);
      this.admit();
    });
  }

  #awaitPermit(task: Task, call: Call): void {
    const { now } = this.agenda;
    const at = this.#permits?.take(now, call.cost) ?? Math.max(now, this.from);
    this.agenda.add(at, () => this.#write(task, call));
  }

  #write(task: Task, { cost }: Call): void {
    const { now } = this.agenda;
    const figures = this.#figures;
    figures.calls += 1;
    figures.permits += cost;
    figures.firstMs = Math.min(figures.firstMs, now);
    figures.lastMs = now;
    task.next += 1;
    this.agenda.add(now + this.writeMs, () => this.#ask(task));
    if (task.hasBegun) return;
    task.hasBegun = true;
    this.#waiting -= 1;
    this.admit();
  }

  #end(task: Task): void {
    this.#active -= 1;
    if (!task.hasBegun) this.#waiting -= 1;
    this.#figures.sent += 1;
    this.onSent();
    this.admit();
  }
}
