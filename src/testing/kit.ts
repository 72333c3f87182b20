import type { AdapterDefinition, Content, Envelope, InboundEvent, PartStep } from '../contract/index.js';
import type { Eventually, SimulatedAccount, Simulator } from '../contract/simulation/index.js';
import type { CheckResult } from './report.js';

/** The content of a rendered part. */
export interface RenderedPart {
  /** The text as the platform counts it against `capabilities.text.max`. */
  readonly counted: string;
  /** The part parsed back into neutral content, with the adapter's own parser if it has one. */
  readonly content: Pick<Content, 'text' | 'spans'>;
}

/** An envelope of an earlier version and the events that every later version must decode from it. */
export interface PinnedEnvelope {
  readonly envelope: Envelope;
  readonly chatId: string;
  readonly messageId?: string;
  readonly userId?: string;
  /**
   * Fields that one of its events must have, compared deeply: `{ content: { spans: [{ mark: 'bold' }] } }` matches an event whose
   * only span is bold. Use it for facts that a simulator cannot show: styles, attachment types, threads, statuses of receipts.
   */
  readonly reads?: Readonly<Record<string, unknown>>;
}

/** How the platform signs its webhooks. */
export interface WebhookSignature {
  readonly header: string;
  /** The header with the time of the signature. Absent: the signature has no time. */
  readonly timestampHeader?: string;
  /** False if the header is a shared secret, which does not depend on the body. */
  readonly coversBody: boolean;
}

/** The input of the conformance kit, written by the author of an adapter. */
export interface ConformanceKit<Credentials = unknown, Settings = unknown> {
  /** The title of the report. Default: the definition's platform. */
  readonly name?: string;
  readonly definition: AdapterDefinition<Credentials, Settings>;
  /** The JavaScript file that a clean process imports, as in an installed package, and the name of its export. */
  readonly module: { readonly url: string; readonly exportName: string };

  /**
   * Creates a simulator without starting it. Each check starts its own. The simulator has no rate limits and retries
   * webhooks quickly. May be absent without `offline` only if `defaultApiBaseUrl` is under `.invalid`, so that nothing leaves
   * the process.
   */
  readonly simulator?: () => Simulator | Promise<Simulator>;
  /**
   * Replaces a missing simulator. Checks that need a platform are skipped with this reason. Other checks pass the account to
   * `create`. No connection is opened.
   */
  readonly offline?: { readonly reason: string; readonly account: SimulatedAccount };
  /** The account to connect. Default: `simulator.account()`. */
  readonly account?: (simulator: Simulator) => Eventually<SimulatedAccount>;
  /** A chat in which other people write. Default: the first group of the simulator, otherwise its first chat. */
  readonly chat?: (simulator: Simulator) => Eventually<string>;

  /** Parses a step of `plan`. Undefined for a step that shows no text. */
  readonly read: (step: PartStep) => RenderedPart | undefined;
  /**
   * False if the platform has no line breaks: each line becomes a message, and blank lines are omitted. Texts are then compared
   * without line breaks. Default: true.
   */
  readonly keepsLineBreaks?: boolean;
  /** Raw events in every form that the adapter supports, as passed to `host.receive`. */
  readonly corpus: readonly Envelope[];
  readonly pinned: readonly PinnedEnvelope[];
  /** Required if `webhook` is one of the ingress modes. */
  readonly signature?: WebhookSignature;
  /** Words that notify whole groups on this platform, such as `@everyone`. Empty if there are none. */
  readonly groupMentions: readonly string[];
  /** Maximum time until the adapter detects a silent socket. Absent: the ingress uses no sockets. */
  readonly heartbeatMs?: number;
}

/** Checks the types of an adapter's configuration in its kit. */
export function defineKit<Credentials, Settings>(kit: ConformanceKit<Credentials, Settings>): ConformanceKit {
  return kit as unknown as ConformanceKit;
}

/** A kit without the types of its configuration. */
export type AnyKit = ConformanceKit;

/** Durable storage of events. The reference store uses memory. The bridge uses PostgreSQL. */
export interface ConformanceStore {
  /** Resolves when the event and its effects are committed. A repeated event has no effects. */
  receive(connection: string, received: ReceivedEvent): Promise<void>;
  /** Texts of the messages that took effect, in order and without echoes. */
  texts(connection: string): Promise<readonly string[]>;
}

export interface ReceivedEvent {
  readonly envelope: Envelope;
  readonly events: readonly InboundEvent[];
}

export interface ConformanceOptions {
  /** `quick` runs fewer rounds and waits for no heartbeat. Default: `full`. */
  readonly effort?: 'quick' | 'full';
  /** Numbers of the checks to run. Default: all. */
  readonly only?: readonly number[];
  /** Default: a new store in memory. */
  readonly store?: () => ConformanceStore;
  /** How long a check waits for an expected event. Default: 10 s. */
  readonly patienceMs?: number;
  /** Called after each check. */
  readonly onResult?: (result: CheckResult) => void;
}
