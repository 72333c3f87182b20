import type { RateBucket } from '../../../contract/index.js';
import { leasedAhead, maxWritesOf, WRITE_MS } from '../../deliveries/dispatch/lease-sizes.js';
import { BETWEEN_PARTS_MS } from '../../deliveries/send/write-gate.js';
import { type AccountRate, TIMEOUT_MS } from '../../rates/rates.js';
import type { Agenda } from './agenda.js';
import { Room, Turns } from './pacing.js';

/** One call at the platform. */
export interface Call {
  /** Turns of the account that it takes. */
  readonly cost: number;
  /** Whether it writes a part; false: it opens the chat. */
  readonly isPart: boolean;
  /** Buckets of the recipient's own chat. Equal keys of the calls of one recipient are the same bucket. */
  readonly own: readonly RateBucket[];
  /** Buckets that all recipients of the connection share. */
  readonly shared: readonly RateBucket[];
}

/** The calls that a recipient needs. */
export type Calls = readonly Call[];

export interface ConnectionFigures {
  readonly calls: number;
  /** Turns of the account that the calls took. */
  readonly turns: number;
  readonly sent: number;
  readonly firstMs: number;
  readonly lastMs: number;
}

interface Task {
  readonly calls: Calls;
  next: number;
  hasBegun: boolean;
  rooms: Map<string, Room> | undefined;
}

/** The dispatcher of one connection on a simulated clock: slots, turns of the account, and room in the chats. */
export class ConnectionRun {
  readonly #queue: Calls[] = [];
  #taken = 0;
  readonly #again: Task[] = [];
  readonly #shared = new Map<string, Room>();
  readonly #turns: Turns | undefined;
  readonly #slots: number;
  readonly #ahead: number;
  #active = 0;
  #waiting = 0;
  #figures = { calls: 0, turns: 0, sent: 0, firstMs: Number.POSITIVE_INFINITY, lastMs: 0 };

  /** `from`: the platform asked the account to wait until then. `onSent`: a recipient got everything. */
  constructor(
    private readonly agenda: Agenda,
    account: AccountRate | null,
    private readonly from: number,
    private readonly onSent: () => void,
    private readonly writeMs: number = WRITE_MS,
  ) {
    this.#turns = account === null ? undefined : new Turns(account, from);
    this.#slots = maxWritesOf(account);
    this.#ahead = account === null ? this.#slots : leasedAhead(account);
  }

  get figures(): ConnectionFigures {
    return this.#figures;
  }

  add(calls: Calls): void {
    this.#queue.push(calls);
  }

  /** Begins what has a free slot. */
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
    // What was taken is dropped in large pieces.
    if (this.#taken > 4_096) {
      this.#queue.splice(0, this.#taken);
      this.#taken = 0;
    }
    return { calls, next: 0, hasBegun: false, rooms: undefined };
  }

  #ask(task: Task): void {
    const { now } = this.agenda;
    const call = task.calls[task.next];
    if (call === undefined) return this.#end(task);
    const rooms = this.#roomsOf(task, call);
    const at = rooms.reduce((latest, room) => Math.max(latest, room.at(now, call.cost)), now);
    const hasPart = task.calls.slice(0, task.next).some(({ isPart }) => isPart);
    if (at - now > (hasPart ? BETWEEN_PARTS_MS : TIMEOUT_MS)) return this.#putOff(task, at);
    for (const room of rooms) room.take(at, call.cost);
    if (at > now) this.agenda.add(at, () => this.#turn(task, call));
    else this.#turn(task, call);
  }

  #roomsOf(task: Task, { own, shared }: Call): Room[] {
    if (own.length === 0 && shared.length === 0) return [];
    task.rooms ??= new Map();
    const mine = task.rooms;
    const roomIn = (rooms: Map<string, Room>) => (bucket: RateBucket) => {
      const room = rooms.get(bucket.key) ?? new Room(bucket.count, bucket.perMs);
      rooms.set(bucket.key, room);
      return room;
    };
    return [...own.map(roomIn(mine)), ...shared.map(roomIn(this.#shared))];
  }

  /** The chat has no room for longer than a task is kept: its slot is free meanwhile. */
  #putOff(task: Task, until: number): void {
    this.#active -= 1;
    if (!task.hasBegun) this.#waiting -= 1;
    this.agenda.add(until, () => {
      this.#again.push(task);
      this.admit();
    });
  }

  #turn(task: Task, call: Call): void {
    const { now } = this.agenda;
    const at = this.#turns?.take(now, call.cost) ?? Math.max(now, this.from);
    this.agenda.add(at, () => this.#write(task, call));
  }

  #write(task: Task, { cost }: Call): void {
    const { now } = this.agenda;
    const figures = this.#figures;
    figures.calls += 1;
    figures.turns += cost;
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
