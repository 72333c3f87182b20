import { createParser } from 'eventsource-parser';
import type { Caller } from '../../core/access/caller.js';
import type { StreamSink } from '../../core/events/reader.js';
import type { EventStreams, StreamRequest } from '../../core/events/streams.js';

export interface WaitLimits {
  readonly seconds: number;
  readonly events: number;
}

/** After the first event, others that belong to the same change follow within this time. */
const SETTLE_MS = 250;

/**
 * Waits for events of the caller's stream: until the first ones came, `limits.events` of them, or the time is over. `last_event_id`
 * of the answer continues without a gap, in any process. It is absent when nothing was ever asked for or came.
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

/** The end of an event stream in this process. */
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
