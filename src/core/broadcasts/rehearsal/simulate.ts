import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AccountRate } from '../../rates/rates.js';
import { CHUNK, FIRST_CHUNK } from '../run.js';
import { Agenda } from './agenda.js';
import { type Calls, type ConnectionFigures, ConnectionRun } from './connection-run.js';

/** Recipients on their way at most, as `send_broadcast_chunk` has it. */
const AHEAD = 2_000;
/** How long putting a recipient on the way takes, and a step as such. */
const STEP_MS = 20;
const RECIPIENT_MS = 0.35;
/** From the end of the preparation to the first step. */
const BEGIN_MS = 300;
const MINUTE_MS = 60_000;
/** Events between two looks at the other work of this process. */
const SLICE = 5_000;

interface SimulatedConnection {
  readonly account: AccountRate | null;
  /** Milliseconds for which the platform asked the account to wait. */
  readonly pausedMs: number;
  /** How long a call takes. */
  readonly writeMs?: number;
}

/** A broadcast whose audience is known. Recipients are in the order in which they are sent to. */
export interface SimulatedBroadcast {
  readonly connections: readonly SimulatedConnection[];
  /** What the recipients need. Recipients that need the same share one. */
  readonly kinds: readonly { readonly connection: number; readonly calls: Calls }[];
  /** The kind of each recipient. */
  readonly recipients: readonly number[];
  /** Milliseconds after the start at which each recipient is due, ascending; undefined: all at once. */
  readonly dueMs?: readonly number[];
  readonly perMinute?: number;
}

export interface SimulatedEnd {
  /** From the start to the last call. */
  readonly durationMs: number;
  readonly connections: readonly ConnectionFigures[];
}

/**
 * Sends a broadcast on a clock that does not wait, within the limits of its connections. Nothing fails in it, and nothing else
 * is sent meanwhile.
 */
export async function simulate(
  broadcast: SimulatedBroadcast,
  onProgress: (sent: number) => void | Promise<void> = () => undefined,
): Promise<SimulatedEnd> {
  const agenda = new Agenda();
  const run = new BroadcastRun(agenda, broadcast);
  run.begin();
  for (let events = 1; agenda.advance(); events += 1) {
    if (events % SLICE > 0) continue;
    await onProgress(run.sent);
    await nextTurn();
  }
  const connections = run.connections.map(({ figures }) => figures);
  return { durationMs: Math.max(0, ...connections.map(({ lastMs }) => lastMs)), connections };
}

/** The steps of a broadcast, as `RunBroadcast` and `broadcast_allowance` take them. */
class BroadcastRun {
  readonly connections: readonly ConnectionRun[];
  sent = 0;
  #enqueued = 0;
  /** Steps of the last minute, with how many recipients each put on the way: what the throttle counts. */
  #recent: { readonly at: number; readonly count: number }[] = [];
  /** A step waits until recipients are done. */
  #isHeldUp = false;

  constructor(
    private readonly agenda: Agenda,
    private readonly broadcast: SimulatedBroadcast,
  ) {
    const onSent = () => {
      this.sent += 1;
      if (this.#isHeldUp && this.#room > 0) this.#step(CHUNK);
    };
    this.connections = broadcast.connections.map(
      ({ account, pausedMs, writeMs }) => new ConnectionRun(agenda, account, pausedMs, onSent, writeMs),
    );
  }

  begin(): void {
    this.agenda.add(BEGIN_MS, () => this.#step(FIRST_CHUNK));
  }

  get #waiting(): number {
    return this.broadcast.recipients.length - this.#enqueued;
  }

  /** How many may be put on the way. Less than a chunk is not worth a step. */
  get #room(): number {
    const room = AHEAD - (this.#enqueued - this.sent);
    return room >= Math.min(CHUNK, this.#waiting) ? room : 0;
  }

  #step(most: number): void {
    this.#isHeldUp = false;
    if (this.#waiting === 0) return;
    const { now } = this.agenda;
    const room = this.#room;
    const { left, againAt } = this.#throttle(now);
    if (room === 0) {
      this.#isHeldUp = true;
      return;
    }
    if (left === 0) return this.agenda.add(againAt, () => this.#step(CHUNK));
    const due = this.#due(now);
    if (due === 0) return this.agenda.add(this.#nextDueAt, () => this.#step(CHUNK));
    const count = Math.min(most, room, left, due, this.#waiting);
    if (this.broadcast.perMinute !== undefined) this.#recent.push({ at: now, count });
    this.agenda.add(now + STEP_MS + count * RECIPIENT_MS, () => {
      this.#enqueue(count);
      this.#step(CHUNK);
    });
  }

  #throttle(now: number): { left: number; againAt: number } {
    const { perMinute } = this.broadcast;
    if (perMinute === undefined) return { left: Number.POSITIVE_INFINITY, againAt: now };
    this.#recent = this.#recent.filter(({ at }) => at > now - MINUTE_MS);
    const used = this.#recent.reduce((sum, { count }) => sum + count, 0);
    return { left: Math.max(0, perMinute - used), againAt: (this.#recent[0]?.at ?? now) + MINUTE_MS };
  }

  #due(now: number): number {
    const { dueMs } = this.broadcast;
    if (dueMs === undefined) return this.#waiting;
    let due = 0;
    while (due < CHUNK && (dueMs[this.#enqueued + due] ?? Number.POSITIVE_INFINITY) <= now) due += 1;
    return due;
  }

  get #nextDueAt(): number {
    return this.broadcast.dueMs?.[this.#enqueued] ?? 0;
  }

  #enqueue(count: number): void {
    const { kinds, recipients } = this.broadcast;
    const end = this.#enqueued + count;
    for (; this.#enqueued < end; this.#enqueued += 1) {
      const kind = kinds[recipients[this.#enqueued] ?? 0];
      if (kind !== undefined) this.connections[kind.connection]?.add(kind.calls);
    }
    for (const connection of this.connections) connection.admit();
  }
}
