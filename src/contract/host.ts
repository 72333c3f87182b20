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
  /** One sentence for a person. It never contains a secret. */
  readonly message: string;
  /** What a person should do. With the code `ok`: what is missing although the connection works, such as a permission. */
  readonly fix?: string;
}

export interface AdapterLog {
  debug(event: string, fields?: Readonly<Record<string, unknown>>): void;
  info(event: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(event: string, fields?: Readonly<Record<string, unknown>>): void;
  error(event: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** A stored file. `blob` is read from disk while it is sent, so the file is not held in memory. It can be read repeatedly. */
export interface MediaFile {
  readonly name: string;
  readonly mimeType: string;
  readonly sizeBytes: number;
  readonly blob: Blob;
}

/** The services that the bridge offers to one live adapter. */
export interface AdapterHost {
  /** The public URL of `Adapter.handle`. Verify signatures against this URL, never against request headers. */
  readonly webhookUrl: string;

  /**
   * Resolves when the envelope and its effects are committed. Acknowledge it to the platform only then. Rejects if it cannot
   * be stored. The concurrent calls and the calls per second of one connection are limited: await each call before you
   * request more events.
   */
  receive(envelope: Envelope): Promise<void>;

  /** Reports a change of the health. The latest report is stored, at most once per second. An idle connection is healthy. */
  health(report: HealthReport): void;

  /** Small state that must survive a restart, such as a gateway session: at most 4 KiB per name and 64 names per connection. */
  readonly state: {
    load(name: string): Promise<string | undefined>;
    save(name: string, value: string | null): Promise<void>;
    /**
     * Saves the value if the stored value is still `expected` (null: none). Resolves with whether it was saved. Use it for
     * state that several processes change: load the value, compute the new one, replace it, and repeat if it was not saved.
     */
    replace(name: string, expected: string | null, value: string | null): Promise<boolean>;
  };

  /** The guarded fetch. Every HTTP request of an adapter must use it, including those of the platform's SDK. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;

  /** Opens the stored copy of an attachment by its `mediaRef`. Raises `media_unavailable` if it does not exist. */
  openMedia(ref: string): Promise<MediaFile>;

  /**
   * For sockets that a library opens itself: WebSocket URLs, and plain sockets as `tls://host:port` or `tcp://host:port`.
   * Call it before each connection, with the exact URL. Raises an error if the bridge may not connect to it. Resolves with
   * the `lookup` option of `net.connect`, `tls.connect` and `ws`, which returns the addresses that were checked, so a
   * second resolution cannot lead to another server. For a library without this option, pass one of the addresses as the
   * host and the name as `servername`.
   */
  assertTarget(url: string): Promise<LookupFunction>;

  /** Writes one line with all fields per event. Secrets of the connection are removed. */
  readonly log: AdapterLog;
}
