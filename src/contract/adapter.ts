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

/** The newest version of this contract. It increases with each change that requires a change of existing adapters. */
export const CONTRACT_VERSION = 2;

/** The versions that adapters may be written for. Adapters of an older version are upgraded when they are created. */
export const SUPPORTED_CONTRACT_VERSIONS: readonly number[] = [1, CONTRACT_VERSION];

export type IngressMode = 'webhook' | 'poll' | 'gateway';

/** The account that the credentials belong to. */
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

/** What the platform reports about a chat. */
export interface ChatSummary {
  /** The name that people see. At most 256 characters are kept. */
  readonly title?: string;
}

/**
 * One live connection. The members are in the order in which they are called. A worker process may call `plan`,
 * `execute` and `lookup` without calling `start`.
 */
export interface Adapter {
  /** Asks the platform which account has the credentials, with one cheap read. Raises `unauthorized` for invalid ones. */
  identify(): Promise<RemoteIdentity>;

  /**
   * Asks the platform whether `start` would succeed, if `start` needs credentials that `identify` does not use. Opens
   * nothing. Raises the error that `start` would raise. Called when a user tests the connection.
   */
  checkIngress?(): Promise<void>;

  /** Opens the ingress. Resolves when events can arrive. A second call has no effect. */
  start(): Promise<void>;

  /**
   * Handles a webhook request of the platform: verifies the signature over the raw body, passes the envelope to
   * `host.receive`, and responds only after that has resolved. Required if `webhook` is one of the ingress modes.
   */
  handle?(request: Request): Promise<Response>;

  /** Converts a stored envelope to events. Pure: no network, no clock, no randomness. Never throws, whatever the JSON. */
  decode(envelope: Envelope): readonly InboundEvent[];

  /**
   * The capabilities of this connection in a chat, or in general without a chat. They may be narrower than those of the
   * definition, for example if a server accepts smaller files, but never wider. A level that is `unknown` in the
   * definition may be any level here.
   */
  capabilities(chatId?: RemoteChatId): Capabilities;

  /** Converts one neutral operation to ordered remote writes. Pure. Raises `unsupported` for an operation that is `rejected`. */
  plan(operation: Operation, capabilities: Capabilities): Plan;

  /**
   * The rate limits of a write in addition to that of the account. Pure. The bridge delays a write until every bucket
   * has capacity. Absent: the limit per chat from `rate` of the definition.
   */
  rate?(step: PartStep, to: Destination): WriteRate;

  /** Makes exactly one remote write. Never retries a create. Raises only PlatformError. */
  execute(step: PartStep, context: ExecuteContext): Promise<Receipt>;

  /** Asks the platform for the outcome of a write whose response was lost. Absent: the platform cannot tell. */
  lookup?(query: LookupQuery): Promise<LookupResult>;

  /**
   * Finds or opens the direct chat with an address on the platform, such as the DM channel of a Discord user id. Absent:
   * an address is already a chat id.
   */
  openDirect?(address: string): Promise<RemoteChatId>;

  /**
   * Asks the platform about a chat that a client wants to link, with one cheap read. Raises `rejected` with
   * `recipient_gone` if the account sees no such chat; the link is then refused. After any other error the link is
   * accepted. Absent: the platform cannot be asked.
   */
  findChat?(chatId: RemoteChatId): Promise<ChatSummary>;

  /**
   * Whether the first write to a person may use the address itself, which saves the call of `openDirect`. Pure. The
   * receipt of the write then contains the chat. Absent: never.
   */
  writesToAddress?(step: PartStep, address: string): boolean;

  /**
   * Opens a file that a person sent, by the `remoteRef` of its attachment. The stream is read at most once and may be
   * abandoned. Raises PlatformError, `rejected` if the file will never be available. Required if `decode` returns
   * attachments with a `remoteRef`.
   */
  openMedia?(ref: string, signal: AbortSignal): Promise<RemoteMedia>;

  /**
   * Closes the ingress and every socket and timer, within 2 s. Idempotent. The bridge starts no other adapter of the
   * connection before this has resolved or has taken five seconds.
   */
  stop(): Promise<void>;
}

export interface PlatformRate {
  /** Writes per second of one account. Null: unlimited. */
  readonly per_second: number | null;
  readonly per_chat_per_second: number | null;
  /**
   * Writes that the platform accepts at once in addition to `per_second`. Default 0. It grows in proportion for an account
   * with a higher rate.
   */
  readonly burst?: number;
}

/** Limits of the buttons in messages of the bridge. They are not capabilities, because messages of clients have no buttons. */
export interface ButtonRules {
  readonly max: number;
  /** Characters. */
  readonly label_max: number;
  readonly value_max_bytes: number;
}

/** The format of the addresses of people on a platform. */
export interface AddressRules {
  /** For error messages, such as `an E.164 number such as +4915112345678`. */
  readonly description: string;
  /**
   * Converts an address to the canonical form in which the bridge stores and compares it. Undefined: not an address of
   * this platform. Pure, fast and idempotent. Events and receipts must contain the same form. Absent: addresses are used
   * as they are sent.
   */
  readonly normalize?: (address: string) => string | undefined;
  /** Whether a normalized address is a phone number in E.164. It becomes the phone of a contact who has none. */
  readonly arePhoneNumbers?: boolean;
  /** Whether chat ids have the same format, so that the chat of a link is normalized in the same way. */
  readonly areChatIds?: boolean;
}

/**
 * The static description of an adapter. Loading it performs no I/O and does not load the platform's SDK, which `create`
 * imports on first use.
 */
export interface AdapterDefinition<Credentials = unknown, Settings = unknown> {
  /** The version of the contract that the adapter is written for. Write the number: an imported constant would always match. */
  readonly contractVersion: number;
  /** `[a-z][a-z0-9_-]{1,31}`. */
  readonly platform: string;
  readonly displayName: string;
  readonly version: string;
  /** Supported ingress modes. The first one is the default. */
  readonly ingress: readonly IngressMode[];
  /** An https URL, or `tls://host:port` for a platform without HTTP. A URL without TLS is only for a server of the operator. */
  readonly defaultApiBaseUrl: string;
  /** Object schema. Fields created by `secret()` are encrypted at rest and never shown. */
  readonly credentials: z.ZodType<Credentials>;
  /** Object schema of the adapter's own settings, without the settings that every connection has. */
  readonly settings: z.ZodType<Settings>;
  /** Whether lost writes can be looked up on this platform (`Adapter.lookup`). */
  readonly lookup: boolean;
  readonly capabilities: Capabilities;
  readonly rate: PlatformRate;
  /** Absent: messages have no buttons. */
  readonly buttons?: ButtonRules;
  /**
   * Seconds for which the platform may redeliver a failed event while later events arrive. Changes of a message that has
   * not arrived wait for this time. Absent: the platform delivers the events of a chat in order.
   */
  readonly redeliveryS?: number;
  /** The billed units of a text, if the platform does not bill per message. `unit` is the plural of the unit. */
  readonly billing?: { readonly unit: string; readonly count: (text: string) => number };
  /** Regular expression of valid addresses, in the syntax that JavaScript and PostgreSQL share. Absent: any text is valid. */
  readonly addressForm?: string;
  readonly addresses?: AddressRules;
  /** Validates rules over several fields, such as a secret that only one ingress mode requires. */
  validate?(config: ConnectionConfig<Credentials, Settings>): readonly ConfigProblem[];
  create(config: ConnectionConfig<Credentials, Settings>, host: AdapterHost): Promise<Adapter>;
}

export interface ConfigProblem {
  /** Dotted path such as `credentials.signing_secret`. */
  readonly field: string;
  readonly code: 'required' | 'invalid_value' | 'invalid_format' | 'exclusive' | 'unsupported';
  readonly message: string;
}

/** Returns the definition. It lets TypeScript infer the types of the adapter's configuration. */
export function defineAdapter<Credentials, Settings>(
  definition: AdapterDefinition<Credentials, Settings>,
): AdapterDefinition<Credentials, Settings> {
  return definition;
}

export type AnyAdapterDefinition = AdapterDefinition<never, never>;
export type { JsonObject };
