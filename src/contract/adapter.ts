import type { z } from 'zod';
import type { Capabilities } from './capabilities.js';
import type { Envelope } from './envelope.js';
import type { InboundEvent } from './events.js';
import type { AdapterHost } from './host.js';
import type { RemoteChatId, RemoteUserId } from './ids.js';
import type { JsonObject } from './json.js';
import type {
  Destination,
  ExecuteContext,
  LookupQuery,
  LookupResult,
  Operation,
  PartStep,
  Plan,
  Receipt,
} from './operations.js';
import type { WriteRate } from './rates.js';

/** The newest version of this contract. It is raised when an adapter that is written for it would have to change. */
export const CONTRACT_VERSION = 2;

/** The versions that adapters may be written for. Those of an older one are upgraded when they are created. */
export const SUPPORTED_CONTRACT_VERSIONS: readonly number[] = [1, CONTRACT_VERSION];

export type IngressMode = 'webhook' | 'poll' | 'gateway';

/** Who the credentials belong to. */
export interface RemoteIdentity {
  readonly externalId: RemoteUserId;
  readonly handle?: string;
  readonly name?: string;
}

/** A file on the platform. */
export interface RemoteMedia {
  readonly body: AsyncIterable<Uint8Array>;
  readonly name?: string;
  readonly mimeType?: string;
}

/** The parsed configuration of one connection. */
export interface ConnectionConfig<Credentials = unknown, Settings = unknown> {
  readonly credentials: Credentials;
  readonly settings: Settings & { readonly api_base_url: string; readonly ingress: IngressMode };
}

/** A platform's data about a chat. */
export interface ChatSummary {
  /** Its name, as people see it; at most 256 characters are kept. */
  readonly title?: string;
}

/**
 * One live connection. Members stand in the order in which they are called. A worker process may call `plan`,
 * `execute` and `lookup` without ever calling `start`.
 */
export interface Adapter {
  /** Asks the platform who the credentials belong to: one cheap read. Raises `unauthorized` for dead credentials. */
  identify(): Promise<RemoteIdentity>;

  /**
   * Asks the platform whether it would let `start` in, where that takes credentials which `identify` does not use. Opens
   * nothing. Raises what `start` would raise. Called when a user tests the connection.
   */
  checkIngress?(): Promise<void>;

  /** Opens the ingress. Resolves when events can arrive. Calling it twice is the same as once. */
  start(): Promise<void>;

  /**
   * Answers a platform webhook: verifies the signature over the raw body, hands the envelope to `host.receive` and
   * answers only when that has resolved. Present when `webhook` is one of the definition's ingress modes.
   */
  handle?(request: Request): Promise<Response>;

  /** What a stored envelope means. Pure: no network, no clock, no randomness; never throws on any JSON. */
  decode(envelope: Envelope): readonly InboundEvent[];

  /**
   * What can be done in a chat of this connection; without a chat, in general. It may narrow what the definition says, as where a
   * server takes smaller files, and never widen it. A level that the definition leaves `unknown` may be any.
   */
  capabilities(chatId?: RemoteChatId): Capabilities;

  /** Turns one neutral operation into ordered remote writes. Pure. An operation that is `rejected` raises `unsupported`. */
  plan(operation: Operation, capabilities: Capabilities): Plan;

  /**
   * The rate limits of a write in addition to the account's. Pure. The bridge holds a write back until all of it has
   * room. Absent: what `rate` of the definition says of a chat.
   */
  rate?(step: PartStep, to: Destination): WriteRate;

  /** Makes exactly one remote write. Never retries a create by itself. Raises only PlatformError. */
  execute(step: PartStep, context: ExecuteContext): Promise<Receipt>;

  /** Asks the platform what became of a write whose answer was lost. Present when the platform can be asked. */
  lookup?(query: LookupQuery): Promise<LookupResult>;

  /**
   * The address by which a person can be written to directly, found or opened on the platform (a Discord user id gives
   * the DM channel). Absent when an address already is a chat id.
   */
  openDirect?(address: string): Promise<RemoteChatId>;

  /**
   * Asks the platform about a chat that a client wants to link: one cheap read. Raises `rejected` with `recipient_gone` when the
   * account sees no such chat, which refuses the link. Any other error accepts it. Absent when the platform can't be asked.
   */
  findChat?(chatId: RemoteChatId): Promise<ChatSummary>;

  /**
   * Whether this first write to a person may go to the address itself, which saves the call of `openDirect`. Pure. Its
   * receipt names the chat then. Absent: never.
   */
  writesToAddress?(step: PartStep, address: string): boolean;

  /**
   * Opens a file that a person sent, by the `remoteRef` of its attachment. The stream is read at most once and may be
   * abandoned. Raises PlatformError; `rejected` when the file will never be had. Present when `decode` gives `remoteRef`s.
   */
  openMedia?(ref: string, signal: AbortSignal): Promise<RemoteMedia>;

  /**
   * Closes the ingress and every socket and timer. Idempotent and prompt (2 s). The bridge starts no other adapter of the
   * connection before this has resolved, or has taken five seconds.
   */
  stop(): Promise<void>;
}

export interface PlatformRate {
  /** Writes per second of one account. Null: unlimited. */
  readonly per_second: number | null;
  readonly per_chat_per_second: number | null;
  /** Writes that the platform takes at once beyond `per_second`, 0 by default; in proportion where an account may write faster. */
  readonly burst?: number;
}

/** The buttons that a message of the bridge can have. It is no cell of the capabilities: messages of clients have no buttons. */
export interface ButtonRules {
  readonly max: number;
  /** Characters. */
  readonly label_max: number;
  readonly value_max_bytes: number;
}

/** What the addresses of people are on a platform. */
export interface AddressRules {
  /** For messages to clients, such as `an E.164 number such as +4915112345678`. */
  readonly description: string;
  /**
   * Converts an address into the one form in which the bridge stores and compares it. Undefined: no address here. Pure, quick and
   * idempotent; events and receipts name people by the same form. Absent: addresses are used as they are sent.
   */
  readonly normalize?: (address: string) => string | undefined;
  /** Whether a normalized address is a phone number in E.164. It becomes the phone of a contact who has none. */
  readonly arePhoneNumbers?: boolean;
  /** Whether chats have the same form of id, so that the chat of a link is read in the same way. */
  readonly areChatIds?: boolean;
}

/**
 * What an adapter is, before any connection exists. Loading it does no I/O and does not load the platform's SDK:
 * `create` imports that on first use.
 */
export interface AdapterDefinition<Credentials = unknown, Settings = unknown> {
  /** The version of the contract that the adapter is written for: a number, since an imported constant would always fit. */
  readonly contractVersion: number;
  /** `[a-z][a-z0-9_-]{1,31}`. */
  readonly platform: string;
  readonly displayName: string;
  readonly version: string;
  /** Supported ways in; the first is the default. */
  readonly ingress: readonly IngressMode[];
  /** An https address; `tls://host:port` where the platform speaks no HTTP. A plain address is one's own server only. */
  readonly defaultApiBaseUrl: string;
  /** Object schema; fields made by `secret()` are encrypted at rest and never shown. */
  readonly credentials: z.ZodType<Credentials>;
  /** Object schema of the adapter's own settings, without those that every connection has. */
  readonly settings: z.ZodType<Settings>;
  /** Whether lost writes can be looked up on this platform (`Adapter.lookup`). */
  readonly lookup: boolean;
  readonly capabilities: Capabilities;
  readonly rate: PlatformRate;
  /** Absent: messages have no buttons. */
  readonly buttons?: ButtonRules;
  /**
   * Seconds for which the platform may deliver a failed event again while later events arrive. Changes of a message that has not
   * arrived wait for it as long. Absent: the platform delivers the events of a chat in their order.
   */
  readonly redeliveryS?: number;
  /** What the platform bills for a text, where that is not the number of messages; `unit` is its plural. */
  readonly billing?: { readonly unit: string; readonly count: (text: string) => number };
  /** Regular expression of the addresses a person can have here, in words that JavaScript and PostgreSQL share. Absent: any. */
  readonly addressForm?: string;
  readonly addresses?: AddressRules;
  /** Checks that need more than one field, such as a secret that only one ingress mode requires. */
  validate?(config: ConnectionConfig<Credentials, Settings>): readonly ConfigProblem[];
  create(config: ConnectionConfig<Credentials, Settings>, host: AdapterHost): Promise<Adapter>;
}

export interface ConfigProblem {
  /** Dotted path such as `credentials.signing_secret`. */
  readonly field: string;
  readonly code: 'required' | 'invalid_value' | 'invalid_format' | 'exclusive' | 'unsupported';
  readonly message: string;
}

/** Keeps the types of an adapter's own configuration while it is written down. */
export function defineAdapter<Credentials, Settings>(
  definition: AdapterDefinition<Credentials, Settings>,
): AdapterDefinition<Credentials, Settings> {
  return definition;
}

export type AnyAdapterDefinition = AdapterDefinition<never, never>;
export type { JsonObject };
