import { createParser } from 'eventsource-parser';
import type { Caller } from '../../core/access/caller.js';
import type { StreamSink } from '../../core/events/reader.js';
import type { EventStreams, StreamRequest } from '../../core/events/streams.js';

export interface WaitLimits {
  readonly seconds: number;
  readonly events: number;
}

/** Time to wait after the first event for other events of the same change. */
const SETTLE_MS = 250;

/**
 * Waits for events of the caller's stream. It ends shortly after the first event, after `limits.events` events, or when the
 * time is over. A client continues without a gap, in any process, from `last_event_id` of the result. That is null if the
 * request has none and no event arrived.
 */
export async function waitForEvents(
  streams: Pick<EventStreams, 'prepare'>,
  caller: Caller,
  request: StreamRequest,
  limits: WaitLimits,
  signal: AbortSignal,
): Promise<object> {
  const stream = await streams.prepare(caller, request);
  const events: unknown[] = [];
  let gap: unknown;
  let last = request.lastEventId;
  await new Promise<void>((resolve) => {
    const sink = new CollectingSink(resolve);
    const timer = setTimeout(() => sink.close(), limits.seconds * 1_000);
    let settle: NodeJS.Timeout | undefined;
    const abort = () => sink.close();
    signal.addEventListener('abort', abort, { once: true });
    sink.onClose(() => {
      clearTimeout(timer);
      clearTimeout(settle);
      signal.removeEventListener('abort', abort);
    });
    sink.onEvent = (id, data) => {
      if (id === undefined) gap = data;
      else {
        events.push(data);
        last = id;
      }
      settle ??= setTimeout(() => sink.close(), SETTLE_MS);
      if (events.length >= limits.events) sink.close();
    };
    if (signal.aborted) sink.close();
    stream.start(sink);
  });
  return { events, ...(gap !== undefined && { gap }), last_event_id: last ?? null };
}

/** A sink that collects the events of a stream in this process. */
class CollectingSink implements StreamSink {
  onEvent: (id: string | undefined, data: unknown) => void = () => undefined;
  isClosed = false;
  readonly backlogBytes = 0;
  readonly #listeners: (() => void)[] = [];
  readonly #parser = createParser({
    onEvent: ({ id, data }) => {
      if (!this.isClosed) this.onEvent(id, JSON.parse(data));
    },
  });

  constructor(closed: () => void) {
    this.#listeners.push(closed);
  }

  write(bytes: Buffer | string): void {
    if (!this.isClosed) this.#parser.feed(bytes.toString());
  }

  drained(): Promise<void> {
    return Promise.resolve();
  }

  readonly close = (last?: string): void => {
    if (this.isClosed) return;
    if (last !== undefined) this.write(last);
    if (this.isClosed) return;
    this.isClosed = true;
    for (const listener of this.#listeners) listener();
  };

  onClose(listener: () => void): void {
    if (this.isClosed) listener();
    else this.#listeners.push(listener);
  }
}
