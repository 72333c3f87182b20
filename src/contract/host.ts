import type { LookupFunction } from 'node:net';
import type { Envelope } from './envelope.js';

export type HealthCode =
  | 'ok'
  | 'connecting'
  | 'transient'
  | 'rate_limited'
  | 'bad_credentials'
  | 'misconfigured'
  | 'disabled';

export interface HealthReport {
  readonly code: Exclude<HealthCode, 'disabled'>;
  /** One sentence for a person. Never holds a secret. */
  readonly message: string;
  readonly fix?: string;
}

export interface AdapterLog {
  debug(event: string, fields?: Readonly<Record<string, unknown>>): void;
  info(event: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(event: string, fields?: Readonly<Record<string, unknown>>): void;
  error(event: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** A stored file. `blob` reads from disk while it is sent, so that memory stays flat; it may be read several times. */
export interface MediaFile {
  readonly name: string;
  readonly mimeType: string;
  readonly sizeBytes: number;
  readonly blob: Blob;
}

/** What the bridge gives to one live adapter. */
export interface AdapterHost {
  /** Public address at which the platform reaches `Adapter.handle`; signatures are checked against it, never against request headers. */
  readonly webhookUrl: string;

  /**
   * Resolves once the envelope and its effects are committed; only then may the platform be acknowledged. Rejects when it can't be
   * stored. How many calls of one connection run at once and per second is bounded: await each before the platform is asked for more.
   */
  receive(envelope: Envelope): Promise<void>;

  /** Reports a change of the connection's condition; the latest is stored, at most once per second. Idle is never unhealthy. */
  health(report: HealthReport): void;

  /** Small state that must survive a restart, such as a gateway session. At most 4 KiB per name, and 64 names per connection. */
  readonly state: {
    load(name: string): Promise<string | undefined>;
    save(name: string, value: string | null): Promise<void>;
    /**
     * Saves the value only if the stored one is still `expected`, where null means none. Resolves with whether it was saved. For
     * state that several processes change: load it, compute the new value, replace it, and begin again when it was not saved.
     */
    replace(name: string, expected: string | null, value: string | null): Promise<boolean>;
  };

  /** The guarded fetch: every HTTP request of an adapter goes through it, the SDK's own included. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;

  /** Opens the stored copy of an attachment by its `mediaRef`. Raises PlatformError `media_unavailable` when it is gone. */
  openMedia(ref: string): Promise<MediaFile>;

  /**
   * For sockets that a library dials by itself: WebSocket URLs, and bare sockets written as `tls://host:port` or
   * `tcp://host:port`. Call it before each dial, with the very URL that is dialled. Raises when the bridge may not connect
   * there. Resolves with the `lookup` option of `net.connect`, `tls.connect` and `ws`: it answers the addresses that were
   * checked, so that a second resolution can't lead elsewhere. A library without that option is given one of its addresses
   * as host, and the name as `servername`.
   */
  assertTarget(url: string): Promise<LookupFunction>;

  /** One wide line per thing that happened; secrets of the connection are removed. */
  readonly log: AdapterLog;
}
