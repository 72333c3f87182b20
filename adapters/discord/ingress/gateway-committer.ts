import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { AdapterHost, Envelope } from '../../../src/contract/index.js';
import { clock } from '../../../src/contract/index.js';
import { parseSession, type Session } from './session.js';
import { waitAtMost } from './wait-at-most.js';

const STATE = 'gateway-session';
/** How old the stored sequence may get under load; a crash replays what came since, and repeats are harmless. */
const SAVE_EVERY_MS = 1_000;
const RETRY_MS = { first: 100, most: 5_000 };
/** More waiting events than this and the socket is closed until half of them are committed: Discord keeps a session for minutes. */
const MAX_WAITING = 5_000;
const RESUME_WAITING = MAX_WAITING / 2;
/** Lanes whose events are committed at the same time. */
const MAX_LANES = 64;

interface Entry {
  /** Absent for events that only move the sequence. */
  readonly envelope?: Envelope;
  /** What else has to be done before the sequence may move; done again when it fails. */
  readonly work?: () => Promise<void>;
  /** What is in order among itself alone. Without one it begins when all before it is over, and all behind it waits. */
  readonly lane?: string;
  readonly sessionId: string;
  readonly sequence: number;
  /** When it happened, by Discord's clock in ISO 8601 UTC, where the event tells. */
  readonly at?: string;
}

interface Waiting {
  readonly entry: Entry;
  over: boolean;
}

/**
 * Commits gateway events, in each lane one after the other, and moves the session's sequence only behind all that came
 * before. The sequence is what heartbeats and resumes tell Discord, so whatever isn't committed is replayed after a crash.
 */
export class GatewayCommitter {
  readonly #host: AdapterHost;
  readonly #stop = new AbortController();
  readonly #queue: Waiting[] = [];
  /** So many at the front of the queue have begun. */
  #begun = 0;
  #running = 0;
  /** What has begun in each lane, one behind the other. */
  readonly #lanes = new Map<string, Promise<void>>();
  /** Whether the one that is under way belongs to no lane. */
  #alone = false;
  #session: Session | undefined;
  #unsaved = false;
  #saving = false;
  #savedAt = 0;
  #drained: (() => void)[] = [];
  #roomy: (() => void)[] = [];

  constructor(host: AdapterHost) {
    this.#host = host;
    // Each lane may wait for its next try.
    setMaxListeners(MAX_LANES + 1, this.#stop.signal);
  }

  /** The session as far as it is committed. */
  get session(): Session | undefined {
    return this.#session;
  }

  /** Whether so much waits that nothing more should be taken in. */
  get full(): boolean {
    return this.#queue.length >= MAX_WAITING;
  }

  async load(): Promise<void> {
    this.#session = parseSession(await this.#host.state.load(STATE));
  }

  /** A new session begins with READY; it is stored when everything before it is committed. */
  open(session: Session): void {
    this.#session = session;
    this.#unsaved = false;
    this.push({ sessionId: session.sessionId, sequence: session.sequence });
  }

  /** The session is over. The stored one stays until its successor's READY, so that a crash in between finds the gap again. */
  forget(): void {
    this.#session = undefined;
    this.#unsaved = false;
  }

  /** Nothing is missing any more; stored with the next sequence. */
  repaired(): void {
    if (this.#session === undefined) return;
    const { missedSince: _, ...session } = this.#session;
    this.#session = session;
  }

  push(entry: Entry): void {
    this.#queue.push({ entry, over: entry.envelope === undefined && entry.work === undefined });
    this.#move();
  }

  /** Resolves when nothing waits or is under way any more, or on `stop`. */
  async drained(): Promise<void> {
    if (!this.#resting) await new Promise<void>((resolve) => this.#drained.push(resolve));
  }

  /** Resolves when so little waits that there is room for what a resume replays, or on `stop`. */
  async room(): Promise<void> {
    if (!this.#hasRoom) await new Promise<void>((resolve) => this.#roomy.push(resolve));
  }

  get #hasRoom(): boolean {
    return this.#queue.length <= RESUME_WAITING || this.#stop.signal.aborted;
  }

  /** Ends committing; what waits is replayed by the next resume. Waits for what is under way, but not for long. */
  async stop(withinMs: number): Promise<void> {
    this.#stop.abort();
    this.#tellRest();
    await waitAtMost(withinMs, this.drained());
  }

  get #resting(): boolean {
    if (this.#saving || this.#running > 0) return false;
    return this.#stop.signal.aborted || this.#queue.length === 0;
  }

  /** Takes what is over from the front of the queue, and begins what may begin. */
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
    this.#tellRest();
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
    const turn = (async () => {
      await before;
      item.over = await this.#commit(item.entry);
    })();
    this.#lanes.set(lane, turn);
    await turn;
    if (this.#lanes.get(lane) === turn) this.#lanes.delete(lane);
  }

  #tellRest(): void {
    if (this.#hasRoom) for (const resolve of this.#roomy.splice(0)) resolve();
    if (this.#resting) for (const resolve of this.#drained.splice(0)) resolve();
  }

  /** Whether the entry is stored; false only when told to stop. */
  async #commit({ envelope, work }: Entry): Promise<boolean> {
    for (let wait = RETRY_MS.first; !this.#stop.signal.aborted; wait = Math.min(wait * 2, RETRY_MS.most)) {
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

  /** Events of a session that is over neither move nor store its successor, whose READY comes behind them. */
  #advance({ sessionId, sequence, at = '' }: Entry): void {
    if (this.#session?.sessionId !== sessionId) return;
    this.#unsaved = true;
    if (sequence <= this.#session.sequence) return;
    // Not the time of the commit: what is missed once the session is lost is younger than this event, not than its turn.
    this.#session = { ...this.#session, sequence, at: at > this.#session.at ? at : this.#session.at };
  }

  /** Stores how far the session has come: when nothing waits, and under load once in a while. One write at a time. */
  #keep(): void {
    const due = this.#queue.length === 0 || clock.now() - this.#savedAt >= SAVE_EVERY_MS;
    if (!this.#unsaved || this.#saving || !due || this.#session === undefined) return;
    this.#unsaved = false;
    this.#saving = true;
    void this.#save(this.#session).then(() => {
      this.#saving = false;
      this.#keep();
      this.#tellRest();
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
