/** A version of the interface. */
export type Version = '1.0' | '2.0';

export interface TrunklineOptions<V extends Version = Version> {
  /** Where the service is: its PUBLIC_URL, with or without `/v1`. */
  readonly baseUrl: string;
  /** `tl_live_…`, or `tl_test_…` for the sandbox. Keep it on servers. */
  readonly apiKey?: string;
  /** Access token of an OAuth app, instead of the key or in addition to it. */
  readonly accessToken?: string;
  /** Version of the interface; default `1.0`. */
  readonly version?: V;
  /** How requests are sent; default the global fetch. */
  readonly fetch?: typeof globalThis.fetch;
  /** Tries after the first one; default 3. */
  readonly retries?: number;
  /** Milliseconds for one try, answer included; default 30,000. */
  readonly timeoutMs?: number;
  /** Ends everything this client does. */
  readonly signal?: AbortSignal;
}

/** Options of a single call. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly retries?: number;
  readonly timeoutMs?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** For a POST that must have one effect even when your program starts again; else one is made for each call. */
  readonly idempotencyKey?: string;
  /** More query parameters, such as `expand` of version 2.0. */
  readonly query?: Query;
}

type QueryValue = string | number | boolean | Date | readonly string[] | undefined;
export type Query = Readonly<Record<string, QueryValue>>;
