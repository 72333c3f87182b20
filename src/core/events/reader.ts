import type { PresentData } from '../webhooks/payload.js';
import { type FramedEvent, Framer } from './framer.js';
import { gapFrame, retryFrame } from './frames.js';
import type { Bookmark, EventLog, LoggedEvent, Snapshot } from './ports.js';
import { framesFor, type Interest, sightOf } from './sight.js';
import { visibleIn } from './snapshot.js';
import type { Batch, EventTail } from './tail.js';

/** Where a stream goes. Writing after it has closed does nothing. */
export interface StreamSink {
  write(bytes: Buffer | string): void;
  /** What was written and not taken by the other side yet. */
  readonly backlogBytes: number;
  /** Resolves when the backlog is small, or the sink closed. */
  drained(): Promise<void>;
  /** Ends the stream, after a last frame; what is in the backlog may be lost, and the last frame with it. */
  close(last?: string): void;
  readonly isClosed: boolean;
  /** Calls back once, also when it is closed already. */
  onClose(listener: () => void): void;
}

export interface ReaderServices {
  readonly log: EventLog;
  readonly tail: EventTail;
  readonly presentData: PresentData;
}

/** A reader that is further behind is cut off, and comes back for the rest. */
const maxBehindBytes = 1024 * 1024;
const replayPage = 200;
/** A replay waits for its reader when more than this is on the way. */
const replayAheadBytes = 256 * 1024;

/**
 * One stream: replays what its client missed, and then follows the tail.
 *
 * It joins the tail before it looks at the log, and keeps what comes meanwhile; then it drops from that what it has read
 * in the log. So nothing falls between the two.
 */
export class StreamReader {
  #isLive = false;
  #kept: FramedEvent[] = [];
  #keptBytes = 0;
  #hasOverflowed = false;

  constructor(
    private readonly services: ReaderServices,
    private readonly interest: Interest,
    private readonly sink: StreamSink,
  ) {}

  /** Resolves when the stream is live, or closed on the way. `lastEventId` is the last event the client has. */
  async start(lastEventId: string | undefined): Promise<void> {
    const { log, tail } = this.services;
    const leave = await tail.join(this.interest, (batch) => this.#take(batch));
    this.sink.onClose(leave);
    let seen = await log.now();
    // The client receives this first. Events from this moment on are not missed.
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
      this.sink.write(batch.bytes);
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
    const isVisible = visibleIn(seen);
    const rest = this.#kept.filter(({ transaction }) => !isVisible(transaction));
    this.#forgetKept();
    this.#isLive = true;
    if (rest.length > 0) this.sink.write(Buffer.concat(rest.map(({ frame }) => frame)));
  }

  async #writeGap(requestedId: string): Promise<void> {
    const { workspaceId, names } = this.interest;
    this.sink.write(gapFrame(requestedId, await this.services.log.oldest(workspaceId, names)));
  }

  /** Writes what was committed between two moments, at the pace of the reader. */
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

/** Whether an event is the bookmarked one, or precedes it in the same transaction. */
function isBefore(event: LoggedEvent, bookmark: Bookmark | undefined): boolean {
  if (bookmark === undefined || event.transaction !== bookmark.transaction) return false;
  return event.position <= bookmark.position;
}
