import { setTimeout as wait } from 'node:timers/promises';
import { apart } from '../common/apart.js';
import type { Log } from '../common/log.js';
import type { PresentData } from '../webhooks/payload.js';
import { type FramedEvent, Framer } from './framer.js';
import type { EventLog, LoggedEvent, Snapshot } from './ports.js';
import { framesFor, type Interest, sightOf } from './sight.js';

/** Events that are delivered together. Readers share one batch, so that nothing is copied. */
export interface Batch {
  readonly events: readonly FramedEvent[];
  /** A snapshot that sees none of them. */
  readonly after: Snapshot;
  /** All frames, concatenated. */
  readonly bytes: Buffer;
}

export type TakeBatch = (batch: Batch) => void;

interface Group {
  readonly interest: Interest;
  readonly readers: Set<TakeBatch>;
}

const pageSize = 500;
// Poll interval without a wake-up by this or another process.
const IDLE_MS = 250;
// Events within this interval are written together, because writes dominate the cost with many readers.
const GATHER_MS = 20;
const FIRST_PAUSE_MS = 200;
const MAX_PAUSE_MS = 5_000;

/**
 * Follows the event log for all readers of this process. New events are read once and passed to every interested reader.
 *
 * It keeps the snapshot of its last read. The first read after a commit returns the event, whatever its position. Without readers
 * it does nothing.
 */
export class EventTail {
  readonly #groups = new Map<string, Group>();
  #joining: { interest: Interest; take: TakeBatch; joined: () => void }[] = [];
  #seen: Snapshot | undefined;
  #running = false;
  #isStopped = false;
  #wake: (() => void) | undefined;
  #isWoken = false;

  constructor(
    private readonly log: EventLog,
    private readonly presentData: PresentData,
    private readonly logger: Log,
  ) {}

  /**
   * Passes to `take` all events that are committed after some moment before it resolves. They may include events that a snapshot
   * taken afterwards sees. Resolves with a function that leaves the tail.
   */
  async join(interest: Interest, take: TakeBatch): Promise<() => void> {
    if (this.#isStopped) return () => undefined;
    await new Promise<void>((joined) => {
      this.#joining.push({ interest, take, joined });
      this.wake();
      if (!this.#running) void apart(() => this.#run());
    });
    return () => this.#leave(interest, take);
  }

  /** Reports that there may be new events. */
  wake(): void {
    this.#isWoken = true;
    this.#wake?.();
  }

  stop(): void {
    this.#isStopped = true;
    this.wake();
  }

  async #run(): Promise<void> {
    this.#running = true;
    let pauseMs = FIRST_PAUSE_MS;
    while (!this.#isStopped && (this.#groups.size > 0 || this.#joining.length > 0)) {
      try {
        const startedAt = performance.now();
        const found = await this.#poll();
        pauseMs = FIRST_PAUSE_MS;
        await this.#pause(found ? Math.max(GATHER_MS, performance.now() - startedAt) : 0);
      } catch (err) {
        this.logger.warn({ err }, 'event_log.read_failed');
        await wait(pauseMs);
        pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
      }
    }
    this.#seen = undefined;
    this.#running = false;
    for (const { joined } of this.#joining.splice(0)) joined();
  }

  /** Resolves with whether there were new events. Readers join between two reads, so that none gets only a part of a read. */
  async #poll(): Promise<boolean> {
    this.#isWoken = false;
    this.#seen ??= await this.log.now();
    this.#admit();
    const groups = [...this.#groups.values()];
    const workspaceIds = [...new Set(groups.map(({ interest }) => interest.workspaceId))];
    const types = [...new Set(groups.flatMap(({ interest }) => interest.names))];
    const range = { workspaceIds, types, after: this.#seen, limit: pageSize };
    let page = await this.log.read({ ...range, afterPosition: 0 });
    const { upTo } = page;
    let found = 0;
    for (;;) {
      await this.#handOn(groups, range.after, page.events);
      found += page.events.length;
      const last = page.events.at(-1);
      if (last === undefined || page.events.length < pageSize) break;
      page = await this.log.read({ ...range, upTo, afterPosition: last.position });
    }
    this.#seen = upTo;
    return found > 0;
  }

  #admit(): void {
    const joining = this.#joining;
    this.#joining = [];
    for (const { interest, take, joined } of joining) {
      const key = keyOf(interest);
      const group = this.#groups.get(key) ?? { interest, readers: new Set() };
      this.#groups.set(key, group);
      group.readers.add(take);
      joined();
    }
  }

  #leave(interest: Interest, take: TakeBatch): void {
    const key = keyOf(interest);
    const group = this.#groups.get(key);
    group?.readers.delete(take);
    if (group?.readers.size === 0) this.#groups.delete(key);
  }

  async #handOn(groups: readonly Group[], after: Snapshot, events: readonly LoggedEvent[]): Promise<void> {
    if (events.length === 0) return;
    const interests = groups.map(({ interest }) => interest);
    const sight = await sightOf(this.log, interests, events);
    const framer = new Framer(this.presentData);
    for (const { interest, readers } of groups) {
      const framed = framesFor(interest, events, sight, framer);
      if (framed.length === 0) continue;
      const batch = { events: framed, after, bytes: Buffer.concat(framed.map(({ frame }) => frame)) };
      for (const take of readers) take(batch);
    }
  }

  /** Waits at least `leastMs`, then until a wake-up or the end of the poll interval. */
  async #pause(leastMs: number): Promise<void> {
    if (leastMs > 0) await wait(leastMs);
    if (this.#isWoken || this.#isStopped) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => this.#wake?.(), IDLE_MS);
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = undefined;
        resolve();
      };
    });
  }
}

function keyOf({ workspaceId, names, version, viewerId = '', readerId = '' }: Interest): string {
  return `${workspaceId} ${version} ${viewerId} ${readerId} ${names.join(',')}`;
}
