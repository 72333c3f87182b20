import { setTimeout as sleep } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import { waitMsIn } from '../../contract/retry-after.js';
import { RefusedError } from '../local-client.js';

export interface FollowOptions {
  /** Base address of the service. */
  readonly url: string;
  readonly key: string;
  readonly events: string;
  readonly signal: AbortSignal;
  /** Reports what happens to the connection. */
  readonly tell: (line: string) => void;
  /** Called for each event, in order and one at a time. An event counts as received once the promise resolves. */
  readonly take: (event: StreamedEvent) => Promise<void>;
}

/** An event of the stream. `payload` has exactly the bytes that were received. */
export interface StreamedEvent {
  readonly id: string | undefined;
  readonly name: string;
  readonly payload: string;
}

/** The service sends data at least every 15 s. A connection that is silent for longer than this is dead. */
const silentMs = 45_000;
const firstPauseMs = 3_000;
const maxPauseMs = 60_000;

/**
 * Follows the event stream until the signal aborts. After a disconnect, it continues after the last event that it received.
 *
 * Raises RefusedError for a response that a retry would not change.
 */
export async function follow(options: FollowOptions): Promise<void> {
  const state = { lastId: undefined as string | undefined, pauseMs: firstPauseMs };
  while (!options.signal.aborted) {
    const reason = await connect(options, state).catch((error: unknown) => {
      if (error instanceof RefusedError) throw error;
      return (error as Error).message;
    });
    if (options.signal.aborted) return;
    options.tell(`disconnected (${reason}), trying again in ${Math.ceil(state.pauseMs / 1_000)} s`);
    await sleep(state.pauseMs, undefined, { signal: options.signal }).catch(() => undefined);
  }
}

interface FollowState {
  lastId: string | undefined;
  pauseMs: number;
}

/** Opens one connection. Resolves with the reason why it ended. */
async function connect(options: FollowOptions, state: FollowState): Promise<string> {
  const idle = new AbortController();
  let timer = setTimeout(() => idle.abort(), silentMs);
  const stillThere = () => {
    clearTimeout(timer);
    timer = setTimeout(() => idle.abort(), silentMs);
  };
  try {
    const response = await fetch(
      `${options.url}/openapi/events/stream?${new URLSearchParams({ events: options.events })}`,
      {
        headers: { 'x-api-key': options.key, ...(state.lastId && { 'last-event-id': state.lastId }) },
        signal: AbortSignal.any([options.signal, idle.signal]),
        redirect: 'error',
      },
    );
    if (!response.ok) return await refused(response, state);
    options.tell(state.lastId === undefined ? 'connected' : `connected, going on after ${state.lastId}`);
    await readFrames(response, options, state, stillThere);
    return 'the stream ended';
  } catch (error) {
    if (idle.signal.aborted) return 'silence';
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

async function readFrames(
  response: Response,
  { take }: FollowOptions,
  state: FollowState,
  stillThere: () => void,
): Promise<void> {
  const arrived: StreamedEvent[] = [];
  const parser = createParser({
    onEvent: ({ id, event = 'message', data }) => arrived.push({ id, name: event, payload: data }),
    onRetry: (retryMs) => {
      state.pauseMs = Math.min(retryMs, maxPauseMs);
    },
  });
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    stillThere();
    parser.feed(decoder.decode(chunk as Uint8Array, { stream: true }));
    for (const event of arrived.splice(0)) {
      await take(event);
      state.lastId = event.id ?? state.lastId;
      stillThere();
    }
  }
}

/**
 * Handles an error response. For transient errors, the next try waits for as long as the service asks. Other errors are raised.
 */
async function refused(response: Response, state: FollowState): Promise<string> {
  const text = await response.text();
  if (response.status !== 429 && response.status < 500) {
    throw new RefusedError(response.status, 'GET /openapi/events/stream', text);
  }
  const asked = waitMsIn(response.headers.get('retry-after')) ?? 0;
  state.pauseMs = Math.min(Math.max(asked, firstPauseMs), maxPauseMs);
  return `answered with ${response.status}`;
}
