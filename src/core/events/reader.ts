import type { PresentData } from '../webhooks/payload.js';
import { type FramedEvent, Framer } from './framer.js';
import { gapFrame, retryFrame } from './frames.js';
import type { Bookmark, EventLog, LoggedEvent, Snapshot } from './ports.js';
import { framesFor, type Interest, sightOf } from './sight.js';
import { includes, visibleIn } from './snapshot.js';
import type { Batch, EventTail } from './tail.js';

/** The destination of a stream. Writes after it has closed are ignored. */
export interface StreamSink {
  write(bytes: Buffer | string): void;
  /** Bytes that were written but not received by the other side yet. */
  readonly backlogBytes: number;
  /** Resolves when the backlog is small or the sink is closed. */
  drained(): Promise<void>;
  /** Ends the stream after a last frame. The backlog may be lost, including the last frame. */
  close(last?: string): void;
  readonly isClosed: boolean;
  /** Calls the listener once, even if the sink is already closed. */
  onClose(listener: () => void): void;
}

export interface ReaderServices {
  readonly log: EventLog;
  readonly tail: EventTail;
  readonly presentData: PresentData;
}

/** A reader with a larger backlog is disconnected. It reconnects to get the rest. */
const maxBehindBytes = 1024 * 1024;
const replayPage = 200;
/** A replay waits for its reader while the backlog is larger. */
const replayAheadBytes = 256 * 1024;

/**
 * One stream: replays the events that its client missed, then follows the tail.
 *
 * It joins the tail before it reads the log, and buffers the events of the tail. Then it drops the events of the tail that it has
 * read from the log, both the buffered ones and those of reads that the tail began before. So no event is lost or repeated.
 */
export class StreamReader {
  #isLive = false;
  #kept: FramedEvent[] = [];
  #keptBytes = 0;
  #hasOverflowed = false;
  /** Everything up to this snapshot was read from the log. Undefined once the tail is past it. */
  #replayed: Snapshot | undefined;

  constructor(
    private readonly services: ReaderServices,
    private readonly interest: Interest,
    private readonly sink: StreamSink,
  ) {}

  /** Resolves when the stream is live, or closed before that. `lastEventId` is the last event that the client has. */
  async start(lastEventId: string | undefined): Promise<void> {
    const { log, tail } = this.services;
    const leave = await tail.join(this.interest, (batch) => this.#take(batch));
    this.sink.onClose(leave);
    let seen = await log.now();
    // The client receives this frame first. It misses no event from this moment on.
    this.sink.write(retryFrame);
    if (lastEventId !== undefined) {
      const bookmark = await log.find(this.interest.workspaceId, lastEventId);
      if (bookmark === undefined) await this.#writeGap(lastEventId);
      else await this.#replay(bookmark.seen, seen, bookmark);
    }
    while (this.#hasOverflowed && !this.sink.isClosed) {
      this.#forgetKept();
      const now = await log.now();
      await this.#replay(seen, now);
      seen = now;
    }
    this.#goLive(seen);
  }

  #take(batch: Batch): void {
    if (this.#isLive) {
      this.sink.write(this.#isPastReplay(batch) ? batch.bytes : this.#withoutReplayed(batch.events));
      if (this.sink.backlogBytes > maxBehindBytes) this.sink.close();
      return;
    }
    this.#keptBytes += batch.bytes.length;
    this.#hasOverflowed ||= this.#keptBytes > maxBehindBytes;
    if (this.#hasOverflowed) this.#kept = [];
    else this.#kept.push(...batch.events);
  }

  #forgetKept(): void {
    this.#kept = [];
    this.#keptBytes = 0;
    this.#hasOverflowed = false;
  }

  #goLive(seen: Snapshot): void {
    this.#replayed = seen;
    this.sink.write(this.#withoutReplayed(this.#kept));
    this.#forgetKept();
    this.#isLive = true;
  }

  #isPastReplay({ after }: Batch): boolean {
    if (this.#replayed !== undefined && includes(after, this.#replayed)) this.#replayed = undefined;
    return this.#replayed === undefined;
  }

  #withoutReplayed(events: readonly FramedEvent[]): Buffer {
    const isReplayed = this.#replayed === undefined ? () => false : visibleIn(this.#replayed);
    return Buffer.concat(events.flatMap(({ transaction, frame }) => (isReplayed(transaction) ? [] : frame)));
  }

  async #writeGap(requestedId: string): Promise<void> {
    const { workspaceId, names } = this.interest;
    this.sink.write(gapFrame(requestedId, await this.services.log.oldest(workspaceId, names)));
  }

  /** Writes the events between two snapshots, at the speed of the reader. */
  async #replay(after: Snapshot, upTo: Snapshot, bookmark?: Bookmark): Promise<void> {
    const { workspaceId, names } = this.interest;
    const range = { workspaceIds: [workspaceId], types: names, after, upTo, limit: replayPage };
    let afterPosition = 0;
    while (!this.sink.isClosed) {
      const { events } = await this.services.log.read({ ...range, afterPosition });
      await this.#writeReplayed(events.filter((event) => !isBefore(event, bookmark)));
      const last = events.at(-1);
      if (last === undefined || events.length < replayPage) return;
      afterPosition = last.position;
    }
  }

  async #writeReplayed(events: readonly LoggedEvent[]): Promise<void> {
    const { interest, services } = this;
    const sight = await sightOf(services.log, [interest], events);
    const framed = framesFor(interest, events, sight, new Framer(services.presentData));
    this.sink.write(Buffer.concat(framed.map(({ frame }) => frame)));
    if (this.sink.backlogBytes > replayAheadBytes) await this.sink.drained();
  }
}

/** Whether an event is the bookmarked one or precedes it in the same transaction. */
function isBefore(event: LoggedEvent, bookmark: Bookmark | undefined): boolean {
  if (bookmark === undefined || event.transaction !== bookmark.transaction) return false;
  return event.position <= bookmark.position;
}
