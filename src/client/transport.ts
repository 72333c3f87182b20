import { errorOf, type LocalCode, TrunklineError } from './error.js';
import type { CallOptions, Query, TrunklineOptions, Version } from './options.js';
import { pause, waitBeforeRetry } from './retry.js';

export interface Exchange extends CallOptions {
  readonly method: string;
  /** The path from the root of the API, such as `/openapi/messages`. */
  readonly path: string;
  /** Sent as JSON, or as a form if one of its values is a file. */
  readonly body?: unknown;
}

const DEFAULT_RETRIES = 3;
const DEFAULT_TIMEOUT_MS = 30_000;
const SEGMENTS: Readonly<Record<Version, string>> = { '1.0': '/v1', '2.0': '/v2' };

/** Sends requests with retries and converts all failures to one kind of error. */
export class Transport {
  readonly #options: TrunklineOptions;
  readonly #root: string;

  constructor(options: TrunklineOptions) {
    const segment = SEGMENTS[options.version ?? '1.0'];
    if (segment === undefined) throw new TypeError('version must be 1.0 or 2.0.');
    this.#options = options;
    this.#root = rootOf(options.baseUrl) + segment;
  }

  /** Aborts all requests of the client. */
  get signal(): AbortSignal | undefined {
    return this.#options.signal;
  }

  /** Sends a request and parses the JSON response. Undefined for a response without a body. */
  async json(exchange: Exchange): Promise<unknown> {
    return this.send(exchange, async (response) => {
      const text = await response.text();
      if (text === '') return undefined;
      try {
        return JSON.parse(text) as unknown;
      } catch (cause) {
        throw local('unexpected_answer', 'The response is not JSON.', cause);
      }
    });
  }

  /** Sends the request until `read` has processed a 2xx response or a retry cannot help. */
  async send<T>(exchange: Exchange, read: (response: Response) => Promise<T>): Promise<T> {
    const stop = anyOf(this.#options.signal, exchange.signal);
    const retries = exchange.retries ?? this.#options.retries ?? DEFAULT_RETRIES;
    const url = this.#root + exchange.path + queryString(exchange.query);
    const init = this.#init(exchange);
    for (let tried = 0; ; tried += 1) {
      stop?.throwIfAborted();
      try {
        return await this.#try(url, init, exchange.timeoutMs, stop, read);
      } catch (error) {
        if (!(error instanceof TrunklineError)) throw error;
        if (tried > 0 && exchange.method === 'DELETE' && error.status === 404) return undefined as T;
        const waitMs = tried < retries ? waitBeforeRetry(error, tried) : undefined;
        if (waitMs === undefined) throw error;
        await pause(waitMs, stop);
      }
    }
  }

  async #try<T>(
    url: string,
    init: RequestInit,
    timeoutMs: number | undefined,
    stop: AbortSignal | undefined,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const fetch = this.#options.fetch ?? globalThis.fetch;
    const limitMs = timeoutMs ?? this.#options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const late = limitMs === Number.POSITIVE_INFINITY ? undefined : AbortSignal.timeout(limitMs);
    const signal = anyOf(stop, late);
    try {
      const response = await fetch(url, signal === undefined ? init : { ...init, signal });
      if (!response.ok) throw await errorOf(response);
      return await read(response);
    } catch (error) {
      if (error instanceof TrunklineError) throw error;
      stop?.throwIfAborted();
      if (late?.aborted) throw local('timeout', `No response within ${limitMs} ms.`, error);
      throw local('network_error', 'The service could not be reached, or the connection broke.', error);
    }
  }

  #init({ method, body, headers = {}, idempotencyKey }: Exchange): RequestInit {
    const { apiKey, accessToken } = this.#options;
    const sent = new Headers({ accept: 'application/json', ...headers });
    if (apiKey !== undefined) sent.set('x-api-key', apiKey);
    if (accessToken !== undefined) sent.set('authorization', `Bearer ${accessToken}`);
    if (method === 'POST') sent.set('idempotency-key', idempotencyKey ?? crypto.randomUUID());
    // Following a redirect would send the key to another server.
    const init: RequestInit = { method, headers: sent, redirect: 'manual' };
    if (body === undefined) return init;
    if (hasFile(body)) return { ...init, body: formOf(body) };
    sent.set('content-type', 'application/json');
    return { ...init, body: JSON.stringify(body) };
  }
}

function local(code: LocalCode, message: string, cause: unknown): TrunklineError {
  return new TrunklineError({ status: 0, code, message, cause });
}

function rootOf(baseUrl: string): string {
  const { pathname, search, hash } = new URL(baseUrl);
  if (search !== '' || hash !== '') throw new TypeError('baseUrl must have no query and no fragment.');
  if (/\/v[2-9]\/?$/.test(pathname))
    throw new TypeError('baseUrl must not contain a version. Set the option version instead.');
  return baseUrl.replace(/(?<!\/)\/+$/, '').replace(/\/v1$/, '');
}

/** Parameters with the value undefined are omitted. A list becomes a repeated parameter. */
function queryString(query: Query = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((each) => each !== undefined)
      .map((each): [string, string] => [name, each instanceof Date ? each.toISOString() : String(each)]),
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

function hasFile(body: unknown): body is Record<string, unknown> {
  return (
    typeof body === 'object' && body !== null && Object.values(body).some((value) => value instanceof Blob)
  );
}

function formOf(body: Record<string, unknown>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) {
    if (value instanceof Blob) form.append(name, value);
    else if (value !== undefined && value !== null) form.append(name, String(value));
  }
  return form;
}

/** A signal that aborts when the first of the given signals does. */
export function anyOf(...signals: (AbortSignal | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((signal) => signal !== undefined);
  return given.length > 1 ? AbortSignal.any(given) : given[0];
}
