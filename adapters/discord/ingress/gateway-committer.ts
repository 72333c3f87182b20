import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { AdapterHost, Envelope } from '../../../src/contract/index.js';
import { clock } from '../../../src/contract/index.js';
import { parseSession, type Session } from './session.js';
import { waitAtMost } from './wait-at-most.js';

const STATE = 'gateway-session';
/** Maximum age of the stored sequence under load. A crash replays later events, and repetitions are harmless. */
const SAVE_EVERY_MS = 1_000;
const RETRY_MS = { first: 100, max: 5_000 };
/**
 * Above this number of waiting events the socket is closed until half of them are committed. Discord keeps a session
 * for minutes.
 */
const MAX_WAITING = 5_000;
const RESUME_WAITING = MAX_WAITING / 2;
/** Number of lanes whose events are committed concurrently. */
const MAX_LANES = 64;

interface Entry {
  /** Absent for events that only move the sequence. */
  readonly envelope?: Envelope;
  /** Further work before the sequence may move. It is repeated if it fails. */
  readonly work?: () => Promise<void>;
  /** The ordering lane. An entry without a lane begins after all earlier entries, and all later entries wait for it. */
  readonly lane?: string;
  readonly sessionId: string;
  readonly sequence: number;
  /** Time of the event by Discord's clock in ISO 8601 UTC, if the event has one. */
  readonly at?: string;
}

interface Waiting {
  readonly entry: Entry;
  over: boolean;
}

/**
 * Commits gateway events in order within each lane. The sequence of the session moves only after all earlier events are
 * committed. Heartbeats and resumes send this sequence, so Discord replays uncommitted events after a crash.
 */
export class GatewayCommitter {
  readonly #host: AdapterHost;
  readonly #stop = new AbortController();
  readonly #queue: Waiting[] = [];
  /** Number of entries at the front of the queue that have begun. */
  #begun = 0;
  #running = 0;
  /** The running work of each lane. */
  readonly #lanes = new Map<string, Promise<void>>();
  /** Whether an entry without a lane is running. */
  #alone = false;
  #session: Session | undefined;
  #unsaved = false;
  #saving = false;
  #savedAt = 0;
  #drained: (() => void)[] = [];
  #roomy: (() => void)[] = [];

  constructor(host: AdapterHost) {
    this.#host = host;
    // Each lane may wait for its next attempt.
    setMaxListeners(MAX_LANES + 1, this.#stop.signal);
  }

  /** The committed session. */
  get session(): Session | undefined {
    return this.#session;
  }

  /** Whether the queue is full. */
  get full(): boolean {
    return this.#queue.length >= MAX_WAITING;
  }

  /** Resolves with false if the stored session is damaged. Then there is none. */
  async load(): Promise<boolean> {
    const text = await this.#host.state.load(STATE);
    this.#session = parseSession(text);
    return text === undefined || this.#session !== undefined;
  }

  /** A new session begins with READY. It is stored after all earlier events are committed. */
  open(session: Session): void {
    this.#session = session;
    this.#unsaved = false;
    this.push({ sessionId: session.sessionId, sequence: session.sequence });
  }

  /**
   * The session has ended. Its stored state stays until the READY of its successor, so that a crash in between finds
   * the gap again.
   */
  forget(): void {
    this.#session = undefined;
    this.#unsaved = false;
  }

  /** Records that no gap is left. The next write of the sequence stores it. */
  repaired(): void {
    if (this.#session === undefined) return;
    const { missedSince: _, ...session } = this.#session;
    this.#session = session;
  }

  push(entry: Entry): void {
    this.#queue.push({ entry, over: entry.envelope === undefined && entry.work === undefined });
    this.#move();
  }

  /** Resolves when the queue is empty, or on `stop`. */
  async drained(): Promise<void> {
    if (!this.#resting) await new Promise<void>((resolve) => this.#drained.push(resolve));
  }

  /** Resolves when the queue has room for the events that a resume replays, or on `stop`. */
  async awaitCapacity(): Promise<void> {
    if (!this.#hasCapacity) await new Promise<void>((resolve) => this.#roomy.push(resolve));
  }

  get #hasCapacity(): boolean {
    return this.#queue.length <= RESUME_WAITING || this.#stop.signal.aborted;
  }

  /** Stops committing. Waits at most `withinMs` for running commits. The next resume replays the other events. */
  async stop(withinMs: number): Promise<void> {
    this.#stop.abort();
    this.#notifyWaiters();
    await waitAtMost(withinMs, this.drained());
  }

  get #resting(): boolean {
    if (this.#saving || this.#running > 0) return false;
    return this.#stop.signal.aborted || this.#queue.length === 0;
  }

  /** Removes finished entries from the front of the queue and starts those that may begin. */
  #move(): void {
    for (let first = this.#queue[0]; first?.over; first = this.#queue[0]) {
      this.#queue.shift();
      this.#begun = Math.max(this.#begun - 1, 0);
      this.#advance(first.entry);
    }
    for (let next = this.#queue[this.#begun]; next !== undefined; next = this.#queue[this.#begun]) {
      if (!next.over && !this.#mayBegin(next.entry)) break;
      this.#begun += 1;
      if (!next.over) void this.#run(next);
    }
    this.#keep();
    this.#notifyWaiters();
  }

  #mayBegin({ lane }: Entry): boolean {
    if (this.#stop.signal.aborted || this.#alone) return false;
    if (lane === undefined) return this.#begun === 0;
    return this.#lanes.has(lane) || this.#lanes.size < MAX_LANES;
  }

  async #run(item: Waiting): Promise<void> {
    this.#running += 1;
    const { lane } = item.entry;
    if (lane === undefined) await this.#byItself(item);
    else await this.#behindItsLane(item, lane);
    this.#running -= 1;
    this.#move();
  }

  async #byItself(item: Waiting): Promise<void> {
    this.#alone = true;
    item.over = await this.#commit(item.entry);
    this.#alone = false;
  }

  async #behindItsLane(item: Waiting, lane: string): Promise<void> {
    const before = this.#lanes.get(lane);
    const write = (async () => {
      await before;
      item.over = await this.#commit(item.entry);
    })();
    this.#lanes.set(lane, write);
    await write;
    if (this.#lanes.get(lane) === write) this.#lanes.delete(lane);
  }

  #notifyWaiters(): void {
    if (this.#hasCapacity) for (const resolve of this.#roomy.splice(0)) resolve();
    if (this.#resting) for (const resolve of this.#drained.splice(0)) resolve();
  }

  /** Returns whether the entry is stored. False only after `stop`. */
  async #commit({ envelope, work }: Entry): Promise<boolean> {
    for (let wait = RETRY_MS.first; !this.#stop.signal.aborted; wait = Math.min(wait * 2, RETRY_MS.max)) {
      try {
        if (envelope !== undefined) await this.#host.receive(envelope);
        await work?.();
        return true;
      } catch (error) {
        this.#host.log.warn('discord.event_not_stored', { error, retry_in_ms: wait });
      }
      await delay(wait, undefined, { signal: this.#stop.signal }).catch(ignoreAbort);
    }
    return false;
  }

  /** Late events of an ended session do not change the stored state of its successor, whose READY follows them. */
  #advance({ sessionId, sequence, at = '' }: Entry): void {
    if (this.#session?.sessionId !== sessionId) return;
    this.#unsaved = true;
    if (sequence <= this.#session.sequence) return;
    // Uses the event's time, not that of the commit: events that are missed after the session is lost are later than
    // this event, not later than its commit.
    this.#session = { ...this.#session, sequence, at: at > this.#session.at ? at : this.#session.at };
  }

  /** Stores the sequence: when the queue is empty, and periodically under load. One write at a time. */
  #keep(): void {
    const due = this.#queue.length === 0 || clock.now() - this.#savedAt >= SAVE_EVERY_MS;
    if (!this.#unsaved || this.#saving || !due || this.#session === undefined) return;
    this.#unsaved = false;
    this.#saving = true;
    void this.#save(this.#session).then(() => {
      this.#saving = false;
      this.#keep();
      this.#notifyWaiters();
    });
  }

  async #save(session: Session): Promise<void> {
    this.#savedAt = clock.now();
    try {
      await this.#host.state.save(STATE, JSON.stringify(session));
    } catch (error) {
      this.#host.log.warn('discord.session_not_stored', { error });
    }
  }
}

function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error) || error.name !== 'AbortError') throw error;
}
