import { SocketModeClient } from '@slack/socket-mode';
import type { FetchFunction } from '@slack/web-api';
import { z } from 'zod';
import { type AdapterHost, type JsonObject, linkedSignal } from '../../../src/contract/index.js';
import { clientOptions, hostFetch, sdkLogger } from '../client/transport.js';
import { CheckedDial } from './checked-dial.js';

const OPEN_TIMEOUT_MS = 15_000;
const CLOSE_HANDSHAKE_MS = 400;

/** One envelope of Socket Mode (docs.slack.dev/apis/events-api/using-socket-mode). */
export interface SocketEnvelope {
  readonly body: JsonObject;
  readonly ack: () => Promise<void>;
}

/** What a connection needs to open a socket. */
export interface SocketAccess {
  readonly appToken: string;
  readonly apiBaseUrl: string;
  readonly host: AdapterHost;
}

export interface SocketOptions extends SocketAccess {
  readonly onEnvelope: (envelope: SocketEnvelope) => void;
}

/**
 * One socket from opening to closing. The SDK's own reconnecting is off, because it leaves a rejected promise behind
 * when the token is invalid.
 */
export class SocketSession {
  /** Resolves when the socket is closed by either side, or because pings stay unanswered. */
  readonly closed: Promise<void>;
  readonly #client: SocketModeClient;
  readonly #dial: CheckedDial;
  readonly #givenUp = new AbortController();

  constructor({ appToken, apiBaseUrl, host, onEnvelope }: SocketOptions) {
    this.#dial = new CheckedDial(host);
    this.#client = new SocketModeClient({
      appToken,
      dispatcher: this.#dial.dispatcher,
      autoReconnectEnabled: false,
      logger: sdkLogger(host),
      clientOptions: {
        ...clientOptions(apiBaseUrl, host),
        fetch: guardedOpen(hostFetch(host), this.#dial, this.#givenUp.signal),
      },
    });
    this.closed = new Promise((resolve) =>
      this.#client.on('disconnected', () => {
        this.#dial.cut();
        resolve();
      }),
    );
    this.#client.on('slack_event', onEnvelope);
    surviveOddFrames(this.#client, host, onEnvelope);
  }

  /** Resolves after Slack's hello. Throws the errors of the SDK. */
  async open(): Promise<void> {
    const opening = this.#client.start();
    // A caller that gave up must not leave a socket behind when the opening succeeds late.
    opening.then(
      () => (this.#givenUp.signal.aborted ? this.#disconnect() : undefined),
      () => undefined,
    );
    const timer = setTimeout(() => void this.close(), OPEN_TIMEOUT_MS);
    try {
      await Promise.race([opening, abortion(this.#givenUp.signal)]);
    } finally {
      clearTimeout(timer);
    }
  }

  async close(): Promise<void> {
    this.#givenUp.abort(new Error('The socket was closed while it opened.'));
    await this.#disconnect();
  }

  /** The SDK waits 30 s for the other side to close. A second call closes immediately. */
  async #disconnect(): Promise<void> {
    const force = setTimeout(() => void this.#client.disconnect(), CLOSE_HANDSHAKE_MS);
    await this.#client.disconnect();
    clearTimeout(force);
  }
}

/**
 * The SDK handles frames in a listener whose promise nothing awaits, so a malformed frame would end the process. It
 * also fails on bodies without an event, such as `app_rate_limited`. Here they are envelopes like all others.
 */
function surviveOddFrames(
  client: SocketModeClient,
  host: AdapterHost,
  onEnvelope: SocketOptions['onEnvelope'],
): void {
  const listeners = client.listeners('ws_message');
  client.removeAllListeners('ws_message');
  client.on('ws_message', async (data: unknown, isBinary: boolean) => {
    try {
      for (const listener of listeners) await listener(data, isBinary);
    } catch {
      const { data: frame } = eventlessFrame.safeParse(data);
      if (frame === undefined) host.log.warn('frame.unreadable');
      else onEnvelope({ body: frame.payload, ack: () => acknowledge(client, frame.envelope_id) });
    }
  });
}

const eventlessFrame = z
  .string()
  .transform((text): unknown => JSON.parse(text))
  .pipe(z.object({ envelope_id: z.string(), payload: z.looseObject({ event: z.undefined().optional() }) }))
  .transform(({ envelope_id, payload }) => ({ envelope_id, payload: payload as JsonObject }));

/** Like the SDK's own `ack`, which exists only for envelopes that the SDK could parse. */
async function acknowledge(client: SocketModeClient, envelopeId: string): Promise<void> {
  const { send } = client as unknown as { send: (this: SocketModeClient, id: string) => Promise<void> };
  await send.call(client, envelopeId);
}

function abortion(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/**
 * The SDK dials any address that apps.connections.open returns. The response is parsed here once, like in the SDK: of
 * two equal keys the last one counts. The SDK receives the parsed result, so that both see the same address.
 */
function guardedOpen(fetch: FetchFunction, dial: CheckedDial, givenUp: AbortSignal): FetchFunction {
  return async (url, init) => {
    const stop = linkedSignal(init?.signal, givenUp);
    const response = await fetch(url, { ...init, signal: stop.signal });
    const text = await response.text().finally(stop.release);
    const { body, url: address } = readAnswer(text);
    if (address !== undefined) await dial.check(address);
    givenUp.throwIfAborted();
    const headers = new Headers([...response.headers.entries()]);
    for (const name of ['content-length', 'content-encoding']) headers.delete(name);
    return new Response(body, { status: response.status, headers });
  };
}

const answerSchema = z.looseObject({ url: z.string() });

/** A body that is not JSON has no address. The SDK refuses it as well. */
function readAnswer(text: string): { readonly body: string; readonly url?: string } {
  try {
    const answer: unknown = JSON.parse(text);
    const { data } = answerSchema.safeParse(answer);
    return { body: JSON.stringify(answer), ...(data === undefined ? {} : { url: data.url }) };
  } catch (error) {
    if (error instanceof SyntaxError) return { body: text };
    throw error;
  }
}
