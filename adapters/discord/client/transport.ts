import { AsyncLocalStorage } from 'node:async_hooks';
import { REST, type RESTOptions, type RouteLike } from '@discordjs/rest';
import { type AdapterHost, linkedSignal, type PlatformError, waitMsIn } from '../../../src/contract/index.js';
import { platformError, type RequestTrace } from './errors.js';

const TIMEOUT_MS = 15_000;
/** Of calls with files: longer than the bridge waits for any, which knows their sizes. */
const UPLOAD_TIMEOUT_MS = 3_600_000;

/**
 * The request that is under way in this asynchronous context; the SDK hands nothing of ours down to `makeRequest`. One for
 * all connections: Node writes the value of each such storage into every promise and timer of the process.
 */
const underWay = new AsyncLocalStorage<RequestTrace>();

export interface RestCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly route: RouteLike;
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** False: the route carries its own token, as those of webhooks and interactions do. */
  readonly auth?: false;
  /** Told the headers of an answer that is a success. */
  readonly onHeaders?: (headers: Headers) => void;
  /** Whether the call changes what people see; such a call's lost answer is ambiguous. */
  readonly write: boolean;
}

/**
 * Discord's REST client on the host's fetch, which neither retries, nor waits, nor paces: the core owns all three.
 * Raises PlatformError only.
 */
export class DiscordRest {
  readonly #rest: REST;
  readonly #token: string;
  readonly #create: (timeoutMs: number) => REST;
  /** For calls with files; most connections never make one. */
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

  /** Makes one request. After a 401 it makes no more until `rearm`: invalid requests get an address banned. */
  async call<Answer>(call: RestCall): Promise<Answer> {
    if (this.#refused !== undefined) throw this.#refused;
    const rest = this.#restFor(call);
    rest.setToken(this.#token);
    const trace: RequestTrace = { sent: false, write: call.write };
    // The SDK never lets go of the signal it gets, and some last as long as their connection.
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

  /** Lets the next call try the token again. */
  rearm(): void {
    this.#refused = undefined;
  }

  /** Ends the SDK's sweeping timers. */
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

  /** Reads the whole answer here, so that the SDK's timeout covers the body and not only the headers. */
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
    const answer = await host.fetch(url, { ...request, ...(isSendable(body) && { body }) });
    if (trace !== undefined) {
      trace.status = answer.status;
      trace.headers = answer.headers;
    }
    return (await whole(answer)) as unknown as Awaited<ReturnType<RESTOptions['makeRequest']>>;
  }
}

/** Bodies are text, or a form that reads its files while it is sent. */
const isSendable = (body: unknown): body is string | FormData =>
  typeof body === 'string' || body instanceof FormData;

/** The answer with its body read. One without a body must not claim to be JSON, or the SDK fails to parse it. */
async function whole(answer: Response): Promise<Response> {
  const bytes = await answer.arrayBuffer();
  const { status, statusText } = answer;
  const headers = new Headers(answer.headers);
  if (bytes.byteLength === 0) headers.delete('content-type');
  // A date, as a proxy may name it, is no number to the SDK.
  const waitMs = waitMsIn(headers.get('retry-after'));
  if (waitMs !== undefined) headers.set('retry-after', (waitMs / 1000).toFixed(3));
  return new Response(bytes.byteLength === 0 ? null : bytes, { status, statusText, headers });
}
