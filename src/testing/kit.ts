import type { AdapterDefinition, Content, Envelope, InboundEvent, PartStep } from '../contract/index.js';
import type { Eventually, SimulatedAccount, Simulator } from '../contract/simulation/index.js';
import type { CheckResult } from './report.js';

/** What a rendered part says. */
export interface RenderedPart {
  /** The text as the platform counts it against `capabilities.text.max`. */
  readonly counted: string;
  /** The part read back into neutral content, by the adapter's own parser where it has one. */
  readonly content: Pick<Content, 'text' | 'spans'>;
}

/** An envelope of an earlier version and what every later version must read from it. */
export interface PinnedEnvelope {
  readonly envelope: Envelope;
  readonly chatId: string;
  readonly messageId?: string;
  readonly userId?: string;
  /**
   * Fields that one of its events has, as deep as they are given: `{ content: { spans: [{ mark: 'bold' }] } }` is read by an event
   * whose only span is bold. Name what a simulator cannot show: styles, types of attachments, threads, statuses of receipts.
   */
  readonly reads?: Readonly<Record<string, unknown>>;
}

/** How the platform signs its webhooks. */
export interface WebhookSignature {
  readonly header: string;
  /** Where the signature is bound to a time. Absent: it carries none. */
  readonly timestampHeader?: string;
  /** False where the header is a shared secret, which says nothing of the body. */
  readonly coversBody: boolean;
}

/** What the author of an adapter gives to the conformance kit. */
export interface ConformanceKit<Credentials = unknown, Settings = unknown> {
  /** The title of the report. Default: the definition's platform. */
  readonly name?: string;
  readonly definition: AdapterDefinition<Credentials, Settings>;
  /** The file that a clean process imports, as an installed package has it (JavaScript), and the export to find there. */
  readonly module: { readonly url: string; readonly exportName: string };

  /**
   * A simulator that was not started yet; each check starts its own. It lifts the rate limits and retries webhooks
   * quickly. Absent only where `defaultApiBaseUrl` is under `.invalid`: nothing ever leaves the process.
   */
  readonly simulator?: () => Simulator | Promise<Simulator>;
  /**
   * In place of a simulator where there is none. Checks that need a platform are skipped with this reason, and the account
   * is what `create` gets in those that need none. Nothing is dialled.
   */
  readonly offline?: { readonly reason: string; readonly account: SimulatedAccount };
  /** The account to connect. Default: `simulator.account()`. */
  readonly account?: (simulator: Simulator) => Eventually<SimulatedAccount>;
  /** A chat that others write in. Default: the first group of the simulator, else its first chat. */
  readonly chat?: (simulator: Simulator) => Eventually<string>;

  /** Reads a step of `plan` back. Undefined for a step that shows no text. */
  readonly read: (step: PartStep) => RenderedPart | undefined;
  /**
   * False where the platform has no line breaks: each line becomes a message, and blank lines are left out. Texts are compared
   * without line breaks then. Default true.
   */
  readonly keepsLineBreaks?: boolean;
  /** Raw events in every shape that the adapter knows, as `host.receive` was given them. */
  readonly corpus: readonly Envelope[];
  readonly pinned: readonly PinnedEnvelope[];
  /** Needed where `webhook` is one of the ways in. */
  readonly signature?: WebhookSignature;
  /** Words that ring up whole groups on this platform, such as `@everyone`. Empty where it has none. */
  readonly groupMentions: readonly string[];
  /** How long the adapter may take to notice a silent socket. Absent: the way in has no sockets. */
  readonly heartbeatMs?: number;
}

/** Keeps the types of an adapter's configuration while its kit is written down. */
export function defineKit<Credentials, Settings>(kit: ConformanceKit<Credentials, Settings>): ConformanceKit {
  return kit as unknown as ConformanceKit;
}

/** The kit's own view: the definition without its types. */
export type AnyKit = ConformanceKit;

/** Where events become durable. The reference store is memory; the bridge's own is PostgreSQL. */
export interface ConformanceStore {
  /** Resolves once the event and its effects are committed; an event that is there already has no effects. */
  receive(connection: string, received: ReceivedEvent): Promise<void>;
  /** Texts of the messages that took effect, in the order in which they did, echoes left out. */
  texts(connection: string): Promise<readonly string[]>;
}

export interface ReceivedEvent {
  readonly envelope: Envelope;
  readonly events: readonly InboundEvent[];
}

export interface ConformanceOptions {
  /** `quick` makes fewer rounds and waits for no heartbeat. Default `full`. */
  readonly effort?: 'quick' | 'full';
  /** Only these checks, by number. */
  readonly only?: readonly number[];
  /** Default: a new store in memory. */
  readonly store?: () => ConformanceStore;
  /** How long a check waits for what has to happen. Default 10 s. */
  readonly patienceMs?: number;
  /** Called after each check. */
  readonly onResult?: (result: CheckResult) => void;
}
