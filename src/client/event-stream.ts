import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { TrunklineError } from './error.js';
import type { EventSelector, StreamGap, TrunklineEvent } from './events.js';
import { backoff, pause } from './retry.js';
import { anyOf, type Transport } from './transport.js';

export interface StreamOptions {
  /** The events to receive. Default: all events that the credential may read. */
  readonly events?: readonly EventSelector[];
  /** `id` of the last event that you processed. The stream starts with the events after it, which are kept for 24 hours. */
  readonly lastEventId?: string;
  /** Ends the stream. The loop then throws the signal's reason. */
  readonly signal?: AbortSignal;
  /** Milliseconds without data after which the connection counts as lost. Default: 45,000. The service sends data every 15 s. */
  readonly silenceMs?: number;
}

const PATH = '/openapi/events/stream';
const DEFAULT_RECONNECT_MS = 3_000;
const DEFAULT_SILENCE_MS = 45_000;
const OPENING_MS = 60_000;
const MAX_RECONNECT_MS = 60_000;
/** The service truncates payloads far below this limit. */
const MAX_FRAME_CHARACTERS = 4 * 1024 * 1024;

/** Streams events. After the first connection, it reconnects and resumes automatically until the loop ends or is aborted. */
export async function* readEventStream(
  transport: Transport,
  options: StreamOptions = {},
): AsyncGenerator<TrunklineEvent | StreamGap, void, undefined> {
  const { events, lastEventId, silenceMs = DEFAULT_SILENCE_MS } = options;
  const stop = anyOf(transport.signal, options.signal);
  const position: Position = { lastEventId, reconnectMs: DEFAULT_RECONNECT_MS, retryAfterMs: 0 };
  let wasOpen = false;
  for (let failures = 0; ; ) {
    const connection = new AbortController();
    const signal = anyOf(stop, connection.signal);
    try {
      const tries = wasOpen ? { retries: 0 } : {};
      const body = await inTime(open(transport, { events, position, signal, ...tries }), OPENING_MS);
      wasOpen = true;
      for await (const frame of frames(body, position, silenceMs)) {
        failures = 0;
        const event = eventOf(frame);
        if (frame.id) position.lastEventId = frame.id;
        yield event;
      }
    } catch (error) {
      stop?.throwIfAborted();
      if (!wasOpen || !isTransient(error)) throw error;
      position.retryAfterMs = (error.retryAfter ?? 0) * 1000;
    } finally {
      connection.abort();
    }
    await pause(waitMs(position, failures), stop);
    failures += 1;
  }
}

/** The position in the stream, and the reconnection times that the server requested. */
interface Position {
  lastEventId: string | undefined;
  reconnectMs: number;
  retryAfterMs: number;
}

interface Opening {
  readonly events: readonly EventSelector[] | undefined;
  readonly position: Position;
  readonly signal: AbortSignal | undefined;
  readonly retries?: number;
}

function open(
  transport: Transport,
  { events, position: { lastEventId }, ...rest }: Opening,
): Promise<ReadableStream<Uint8Array>> {
  const headers: Record<string, string> = { accept: 'text/event-stream' };
  if (lastEventId !== undefined) headers['last-event-id'] = lastEventId;
  const query = { events: events?.join(',') };
  const exchange = {
    ...rest,
    method: 'GET',
    path: PATH,
    query,
    headers,
    timeoutMs: Number.POSITIVE_INFINITY,
  };
  return transport.send(exchange, async ({ body, headers: answered }) => {
    const type = answered.get('content-type') ?? '';
    if (body === null || !type.startsWith('text/event-stream')) {
      throw unexpected('The response is not an event stream.');
    }
    return body as ReadableStream<Uint8Array>;
  });
}

async function* frames(
  body: ReadableStream<Uint8Array>,
  position: Position,
  silenceMs: number,
): AsyncGenerator<EventSourceMessage, void, undefined> {
  const complete: EventSourceMessage[] = [];
  const parser = createParser({
    onEvent: (frame) => complete.push(frame),
    onRetry: (ms) => {
      position.reconnectMs = Math.min(ms, MAX_RECONNECT_MS);
    },
    maxBufferSize: MAX_FRAME_CHARACTERS,
  });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await inTime(reader.read(), silenceMs);
    if (done) return;
    parser.feed(decoder.decode(value, { stream: true }));
    yield* complete.splice(0);
  }
}

/** Rejects if the promise takes longer, because a connection that broke silently may seem open for hours. */
function inTime<T>(awaited: Promise<T>, silenceMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(lost(`No data was received for ${silenceMs} ms.`)), silenceMs);
    const fail = (cause: unknown) =>
      reject(cause instanceof TrunklineError ? cause : lost('The connection broke.', cause));
    awaited.then(resolve, fail).finally(() => clearTimeout(timer));
  });
}

function eventOf({ event, data }: EventSourceMessage): TrunklineEvent | StreamGap {
  try {
    const value: unknown = JSON.parse(data);
    return (event === 'stream.gap' ? { event, data: value } : value) as TrunklineEvent | StreamGap;
  } catch (cause) {
    throw unexpected('The stream sent data that is not JSON.', cause);
  }
}

function lost(message: string, cause?: unknown): TrunklineError {
  return new TrunklineError({ status: 0, code: 'network_error', message, cause });
}

function unexpected(message: string, cause?: unknown): TrunklineError {
  return new TrunklineError({ status: 0, code: 'unexpected_answer', message, cause });
}

function isTransient(error: unknown): error is TrunklineError {
  if (!(error instanceof TrunklineError)) return false;
  return ['network_error', 'timeout'].includes(error.code) || error.status === 429 || error.status >= 500;
}

function waitMs({ reconnectMs, retryAfterMs }: Position, failures: number): number {
  return Math.max(reconnectMs, retryAfterMs) + backoff(failures);
}
