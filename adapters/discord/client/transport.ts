import { AsyncLocalStorage } from 'node:async_hooks';
import { REST, type RESTOptions, type RouteLike } from '@discordjs/rest';
import { type AdapterHost, linkedSignal, type PlatformError, waitMsIn } from '../../../src/contract/index.js';
import { platformError, type RequestTrace, redirected, unreadable } from './errors.js';

const TIMEOUT_MS = 15_000;
/** Timeout of calls with files. It exceeds the bridge's own timeouts, which depend on the file sizes. */
const UPLOAD_TIMEOUT_MS = 3_600_000;

/**
 * The current request of this asynchronous context, because the SDK cannot pass it to `makeRequest`. All connections
 * share one storage, because Node copies the value of each storage into every promise and timer of the process.
 */
const underWay = new AsyncLocalStorage<RequestTrace>();

export interface RestCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly route: RouteLike;
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** False if the route contains its own token, like routes of webhooks and interactions. */
  readonly auth?: false;
  /** Receives the headers of a successful response. */
  readonly onHeaders?: (headers: Headers) => void;
  /** Whether the call changes visible content. Then a lost response is ambiguous. */
  readonly write: boolean;
}

/**
 * Discord's REST client on the host's fetch. It does not retry, wait or pace requests, because the core does. Throws
 * only PlatformError.
 */
export class DiscordRest {
  readonly #rest: REST;
  readonly #token: string;
  readonly #create: (timeoutMs: number) => REST;
  /** Client for calls with files, created on first use. */
  #uploads: REST | undefined;
  #refused: PlatformError | undefined;

  constructor(token: string, apiBaseUrl: string, host: AdapterHost) {
    this.#token = token;
    this.#create = (timeout) =>
      new REST({
        version: '10',
        api: apiBaseUrl.replace(/(?<!\/)\/+$/, ''),
        retries: 0,
        timeout,
        rejectOnRateLimit: () => true,
        globalRequestsPerSecond: Number.POSITIVE_INFINITY,
        makeRequest: (url, init) => this.#send(host, url, init),
      });
    this.#rest = this.#create(TIMEOUT_MS);
  }

  /**
   * Makes one request. After a 401 it makes no more requests until `rearm`, because Discord bans addresses that send
   * invalid requests.
   */
  async call<Answer>(call: RestCall): Promise<Answer> {
    if (this.#refused !== undefined) throw this.#refused;
    const rest = this.#restFor(call);
    rest.setToken(this.#token);
    const trace: RequestTrace = { sent: false, write: call.write };
    // The SDK never releases the signal that it receives, and some signals live as long as their connection.
    const stop = linkedSignal(call.signal);
    try {
      const answer = await underWay.run(trace, () =>
        rest.request({
          method: call.method as Parameters<REST['request']>[0]['method'],
          fullRoute: call.route,
          ...(call.body === undefined ? {} : { body: call.body }),
          ...(call.body instanceof FormData ? { passThroughBody: true } : {}),
          ...(call.query === undefined ? {} : { query: new URLSearchParams(call.query) }),
          signal: stop.signal,
          ...(call.auth === undefined ? {} : { auth: call.auth }),
        }),
      );
      if (trace.headers !== undefined) call.onHeaders?.(trace.headers);
      return answer as Answer;
    } catch (error) {
      const problem = platformError(error, trace);
      if (problem.problem.kind === 'unauthorized') this.#refused = problem;
      throw problem;
    } finally {
      stop.release();
    }
  }

  /** Makes one request for an object with an id. A response without one is not from Discord. */
  async record<Answer extends { readonly id: string }>(call: RestCall): Promise<Answer> {
    const answer = await this.call<Answer | null>(call);
    if (typeof answer?.id !== 'string' || !/^\d{1,20}$/.test(answer.id)) throw unreadable(call.write);
    return answer;
  }

  /** Allows the next call to try the token again. */
  rearm(): void {
    this.#refused = undefined;
  }

  /** Stops the SDK's cleanup timers. */
  close(): void {
    for (const rest of [this.#rest, this.#uploads]) {
      rest?.clearHashSweeper();
      rest?.clearHandlerSweeper();
    }
  }

  #restFor({ body }: RestCall): REST {
    if (!(body instanceof FormData)) return this.#rest;
    this.#uploads ??= this.#create(UPLOAD_TIMEOUT_MS);
    return this.#uploads;
  }

  /** Reads the whole response here, so that the SDK's timeout covers the body too. */
  async #send(
    host: AdapterHost,
    url: string,
    init: Parameters<RESTOptions['makeRequest']>[1],
  ): ReturnType<RESTOptions['makeRequest']> {
    const { method, headers, body, signal } = init as RequestInit;
    signal?.throwIfAborted();
    const trace = underWay.getStore();
    if (trace !== undefined) trace.sent = true;
    const request = { ...(method && { method }), ...(headers && { headers }), ...(signal && { signal }) };
    const answer = await host.fetch(url, {
      ...request,
      redirect: 'manual',
      ...(isSendable(body) && { body }),
    });
    if (answer.status >= 300 && answer.status < 400) throw redirected(answer.status);
    if (trace !== undefined) {
      trace.status = answer.status;
      trace.headers = answer.headers;
    }
    return (await whole(answer)) as unknown as Awaited<ReturnType<RESTOptions['makeRequest']>>;
  }
}

/** A body is text, or a form that reads its files while it is sent. */
const isSendable = (body: unknown): body is string | FormData =>
  typeof body === 'string' || body instanceof FormData;

/** The response with its body read. Without a body it must not claim to be JSON, or the SDK fails to parse it. */
async function whole(answer: Response): Promise<Response> {
  const bytes = await answer.arrayBuffer();
  const { status, statusText } = answer;
  const headers = new Headers(answer.headers);
  if (bytes.byteLength === 0) headers.delete('content-type');
  // A proxy may send a date, which the SDK does not parse. A wait of 0 seconds says nothing.
  const waitMs = waitMsIn(headers.get('retry-after'));
  if (waitMs === 0) headers.delete('retry-after');
  else if (waitMs !== undefined) headers.set('retry-after', (waitMs / 1000).toFixed(3));
  return new Response(bytes.byteLength === 0 ? null : bytes, { status, statusText, headers });
}
