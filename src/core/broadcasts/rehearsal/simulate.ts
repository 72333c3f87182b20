import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AccountRate } from '../../rates/rates.js';
import { CHUNK, FIRST_CHUNK } from '../run.js';
import { Agenda } from './agenda.js';
import { type Calls, type ConnectionFigures, ConnectionRun } from './connection-run.js';

/** Maximum number of recipients in progress, as in `send_broadcast_chunk`. */
const AHEAD = 2_000;
/** Assumed duration of a step, and the additional duration for each recipient. */
const STEP_MS = 20;
const RECIPIENT_MS = 0.35;
/** Time from the end of the preparation to the first step. */
const BEGIN_MS = 300;
const MINUTE_MS = 60_000;
/** Number of events before this process does other work. */
const SLICE = 5_000;

interface SimulatedConnection {
  readonly account: AccountRate | null;
  /** Time for which the platform asked the account to wait. */
  readonly pausedMs: number;
  /** Duration of a call. */
  readonly writeMs?: number;
}

/** A broadcast with a known audience. Recipients are in sending order. */
export interface SimulatedBroadcast {
  readonly connections: readonly SimulatedConnection[];
  /** Distinct lists of calls. Recipients with the same calls share one. */
  readonly kinds: readonly { readonly connection: number; readonly calls: Calls }[];
  /** The kind of each recipient. */
  readonly recipients: readonly number[];
  /** Time after the start at which each recipient is due, ascending. If undefined, all are due immediately. */
  readonly dueMs?: readonly number[];
  readonly perMinute?: number;
}

export interface SimulatedEnd {
  /** Time from the start to the last call. */
  readonly durationMs: number;
  readonly connections: readonly ConnectionFigures[];
}

/**
 * Sends a broadcast on a simulated clock, within the limits of its connections. It assumes that no call fails and that
 * nothing else is sent at the same time.
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

/** The steps of a broadcast, as in `RunBroadcast` and `broadcast_allowance`. */
class BroadcastRun {
  readonly connections: readonly ConnectionRun[];
  sent = 0;
  #enqueued = 0;
  /** Steps of the last minute with the number of recipients that each enqueued. The throttle counts these. */
  #recent: { readonly at: number; readonly count: number }[] = [];
  /** Whether a step waits for recipients in progress. */
  #isHeldUp = false;

  constructor(
    private readonly agenda: Agenda,
    private readonly broadcast: SimulatedBroadcast,
  ) {
    const onSent = () => {
      this.sent += 1;
      if (this.#isHeldUp && this.#capacity > 0) this.#step(CHUNK);
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

  /** Number of recipients that may be enqueued. Zero if less than a full chunk fits, because small steps are inefficient. */
  get #capacity(): number {
    const capacity = AHEAD - (this.#enqueued - this.sent);
    return capacity >= Math.min(CHUNK, this.#waiting) ? capacity : 0;
  }

  #step(maxRecipients: number): void {
    this.#isHeldUp = false;
    if (this.#waiting === 0) return;
    const { now } = this.agenda;
    const capacity = this.#capacity;
    const { left, againAt } = this.#throttle(now);
    if (capacity === 0) {
      this.#isHeldUp = true;
      return;
    }
    if (left === 0) return this.agenda.add(againAt, () => this.#step(CHUNK));
    const due = this.#due(now);
    if (due === 0) return this.agenda.add(this.#nextDueAt, () => this.#step(CHUNK));
    const count = Math.min(maxRecipients, capacity, left, due, this.#waiting);
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
