import type { JsonValue } from './json.js';

/**
 * A raw inbound event exactly as the platform sent it, plus what is needed to store it once and in order.
 * Both keys are scoped by the connection; the adapter never adds the connection's id to them.
 */
export interface Envelope {
  /** The platform's identity of this event: equal for every redelivery, different for every other event. At most 200 characters. */
  readonly dedupeKey: string;
  /** What must stay in order, usually the remote chat. At most 200 characters. */
  readonly lane: string;
  /** The payload as received. Never holds a secret of the connection. */
  readonly payload: JsonValue;
  /** Facts of the moment of receipt that `decode` needs, such as the bot's own account id. */
  readonly context?: Readonly<Record<string, string>>;
}
