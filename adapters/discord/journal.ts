import { setTimeout as delay } from 'node:timers/promises';
import type { AdapterHost, Envelope } from '../../src/contract/index.js';
import { clock } from '../../src/contract/index.js';
import { parseSession, type Session } from './session.js';
import { within } from './within.js';

const STATE = 'gateway-session';
/** How old the stored sequence may get under load; a crash replays what came since, and repeats are harmless. */
const SAVE_EVERY_MS = 1_000;
const RETRY_MS = { first: 100, most: 5_000 };
/** More waiting events than this and the socket is closed until they are committed. */
const MOST_WAITING = 5_000;

interface Entry {
  /** Absent for events that only move the sequence. */
  readonly envelope?: Envelope;
  /** What else has to be done before the sequence may move; done again when it fails. */
  readonly work?: () => Promise<void>;
  readonly sessionId: string;
  readonly sequence: number;
}

/**
 * Commits gateway events one after the other and moves the session's sequence only behind them. The sequence is what
 * heartbeats and resumes tell Discord, so whatever isn't committed is replayed after a crash.
 */
export class Journal {
  readonly #host: AdapterHost;
  readonly #stop = new AbortController();
  readonly #queue: Entry[] = [];
  #session: Session | undefined;
  #draining: Promise<void> | undefined;
  #savedAt = 0;

  constructor(host: AdapterHost) {
    this.#host = host;
  }

  /** The session as far as it is committed. */
  get session(): Session | undefined {
    return this.#session;
  }

  /** Whether so much waits that nothing more should be taken in. */
  get full(): boolean {
    return this.#queue.length >= MOST_WAITING;
  }

  async load(): Promise<void> {
    this.#session = parseSession(await this.#host.state.load(STATE));
  }

  /** A new session begins with READY; it is stored when everything before it is committed. */
  open(session: Session): void {
    this.#session = session;
    this.push({ sessionId: session.sessionId, sequence: session.sequence });
  }

  /** The session is over. The stored one stays until its successor's READY, so that a crash in between finds the gap again. */
  forget(): void {
    this.#session = undefined;
  }

  /** Nothing is missing any more; stored with the next sequence. */
  repaired(): void {
    if (this.#session === undefined) return;
    const { missedSince: _, ...session } = this.#session;
    this.#session = session;
  }

  push(entry: Entry): void {
    this.#queue.push(entry);
    this.#draining ??= this.#drain();
  }

  /** Resolves when nothing waits any more, or on `stop`. */
  async drained(): Promise<void> {
    await this.#draining;
  }

  /** Ends committing; what waits is replayed by the next resume. Waits for the write under way, but not for long. */
  async stop(withinMs: number): Promise<void> {
    this.#stop.abort();
    await within(withinMs, this.#draining);
  }

  async #drain(): Promise<void> {
    for (let entry = this.#queue[0]; entry !== undefined; entry = this.#queue[0]) {
      if (!(await this.#commit(entry))) break;
      this.#queue.shift();
      await this.#advance(entry);
    }
    this.#draining = undefined;
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
  async #advance({ sessionId, sequence }: Entry): Promise<void> {
    if (this.#session?.sessionId !== sessionId) return;
    if (sequence > this.#session.sequence)
      this.#session = { ...this.#session, sequence, at: clock.date().toISOString() };
    if (this.#queue.length === 0 || clock.now() - this.#savedAt >= SAVE_EVERY_MS)
      await this.#save(this.#session);
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
