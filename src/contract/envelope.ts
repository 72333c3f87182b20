import type { JsonValue } from './json.js';

/**
 * A raw inbound event as the platform sent it, with the keys for storing it once and in order. Both keys are scoped to the
 * connection, so the adapter does not add the id of the connection to them.
 */
export interface Envelope {
  /** Identifies the event: equal for every redelivery, different for every other event. At most 200 characters. */
  readonly dedupeKey: string;
  /** Envelopes of the same lane are processed in order. Usually the remote chat. At most 200 characters. */
  readonly lane: string;
  /** The payload as received. It never contains a secret of the connection. */
  readonly payload: JsonValue;
  /** Data that `decode` needs and that is known only at receipt, such as the account id of the bot. */
  readonly context?: Readonly<Record<string, string>>;
}
