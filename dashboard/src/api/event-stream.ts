import { EventSourceParserStream } from 'eventsource-parser/stream';
import { open, signInAgain } from './client';

export interface ServiceEvent {
  readonly id: string;
  readonly name: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export type StreamState = 'connecting' | 'open';

export interface Listener {
  event(event: ServiceEvent): void;
  state(state: StreamState): void;
  /** Events may be missing. Shown data must be reloaded. */
  gap(): void;
  /** The user's access may have been reduced. Loaded data must no longer be shown. */
  lost(): void;
}

const EVENTS = '*,delivery.updated,reaction.*,typing.*';
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 10_000;
/** The service sends data every 15 s. After this time without data the connection is considered dead. */
const SILENCE_MS = 40_000;

/** Follows the events of the service until the signal aborts. Resumes after the last received event. */
export async function followEvents(listener: Listener, signal: AbortSignal, lastId?: string): Promise<void> {
  let id = lastId;
  let wait = FIRST_WAIT_MS;
  while (!signal.aborted) {
    listener.state('connecting');
    const silence = new Silence(signal);
    try {
      const response = await openStream(id, silence.signal);
      wait = FIRST_WAIT_MS;
      listener.state('open');
      if (id === undefined) listener.gap();
      for await (const event of framesOf(response, silence)) {
        if (event.id !== undefined) id = event.id;
        if (event.event !== 'stream.gap') listener.event(parse(event));
        else if (isOfView(event)) listener.lost();
        else listener.gap();
      }
    } catch (error) {
      if (signal.aborted) return;
      console.info('events.dropped', error);
    } finally {
      silence.end();
    }
    await pause(wait, signal);
    wait = Math.min(wait * 2, MAX_WAIT_MS);
  }
}

async function openStream(lastId: string | undefined, signal: AbortSignal): Promise<Response> {
  const headers: HeadersInit = lastId === undefined ? {} : { 'last-event-id': lastId };
  const response = await open(`/openapi/events/stream?events=${EVENTS}`, { headers, signal });
  if (response.status === 401) signInAgain();
  if (!response.ok || response.body === null) throw new Error(`status ${response.status}`);
  return response;
}

interface Frame {
  readonly id?: string | undefined;
  readonly event?: string | undefined;
  readonly data: string;
}

async function* framesOf(response: Response, silence: Silence): AsyncGenerator<Frame> {
  const heard = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      silence.broken();
      controller.enqueue(bytes);
    },
  });
  const text = (response.body as ReadableStream<Uint8Array<ArrayBuffer>>)
    .pipeThrough(heard)
    .pipeThrough(new TextDecoderStream() as unknown as ReadableWritablePair<string, Uint8Array>);
  const reader = text.pipeThrough(new EventSourceParserStream()).getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    yield value;
  }
}

function parse({ id = '', event = '', data }: Frame): ServiceEvent {
  const payload = JSON.parse(data) as { data: Record<string, unknown> };
  return { id, name: event, data: payload.data };
}

/** Whether the gap comes from a change of the user's access, and not from the retention of events. */
function isOfView({ data }: Frame): boolean {
  return (JSON.parse(data) as { requested_id: string | null }).requested_id === null;
}

/** Closes a connection that receives no more data. */
class Silence {
  readonly #controller = new AbortController();
  readonly signal: AbortSignal;
  #timer = this.#wait();

  constructor(outer: AbortSignal) {
    this.signal = AbortSignal.any([outer, this.#controller.signal]);
  }

  broken(): void {
    clearTimeout(this.#timer);
    this.#timer = this.#wait();
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#controller.abort();
  }

  #wait() {
    return setTimeout(() => this.#controller.abort(new Error('silence')), SILENCE_MS);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
