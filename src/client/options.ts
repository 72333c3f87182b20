/** A version of the API. */
export type Version = '1.0' | '2.0';

export interface TrunklineOptions<V extends Version = Version> {
  /** The PUBLIC_URL of the service, with or without `/v1`. */
  readonly baseUrl: string;
  /** `tl_live_…`, or `tl_test_…` for the sandbox. Keep it on servers. */
  readonly apiKey?: string;
  /** Access token of an OAuth app, instead of or in addition to the key. */
  readonly accessToken?: string;
  /** Version of the API. Default: `1.0`. */
  readonly version?: V;
  /** The fetch function for all requests. Default: the global fetch. */
  readonly fetch?: typeof globalThis.fetch;
  /** Number of retries after the first attempt. Default: 3. */
  readonly retries?: number;
  /** Timeout of one attempt in milliseconds, including the response. Default: 30,000. */
  readonly timeoutMs?: number;
  /** Aborts all requests and streams of this client. */
  readonly signal?: AbortSignal;
}

/** Options of a single call. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly retries?: number;
  readonly timeoutMs?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** For a POST that must have one effect even if your program restarts. Default: a new key for each call. */
  readonly idempotencyKey?: string;
  /** More query parameters, such as `expand` of version 2.0. */
  readonly query?: Query;
}

type QueryValue = string | number | boolean | Date | readonly string[] | undefined;
export type Query = Readonly<Record<string, QueryValue>>;
