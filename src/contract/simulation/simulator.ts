import type { FaultDial } from './faults.js';
import type { SimulatedFile } from './form.js';
import type { Ledger } from './ledger.js';

/** A chat of a simulator that can be bridged. */
export interface SimulatedChat {
  readonly id: string;
  readonly title: string;
  readonly kind: 'direct' | 'group';
}

/** A message as a person on the simulated platform sees it. */
export interface SimulatedMessage {
  readonly id: string;
  readonly chatId: string;
  /** Display name of the author, a person or a bot. */
  readonly sender: string;
  /** Whether the connected account wrote it. */
  readonly own: boolean;
  readonly text: string;
  readonly replyToId?: string;
  readonly edited: boolean;
  readonly deleted: boolean;
  /** Absent: none, or the platform has no files. */
  readonly files?: readonly SimulatedFile[];
  /** The groups that it notifies by a mention: `everyone`, `here`, a role. Absent: none. */
  readonly pings?: readonly string[];
  /** Unicode emoji of the reactions, including those of the connected account. Absent: the simulator does not show them. */
  readonly reactions?: readonly string[];
  /** Labels of the buttons below it. Absent: none. */
  readonly buttons?: readonly string[];
  readonly location?: SimulatedLocation;
  /** Unix milliseconds. Absent: the simulator does not keep it. */
  readonly sentAt?: number;
  /** The status of a message of the connected account. Absent: the platform does not report it. */
  readonly receipt?: 'accepted' | 'sent' | 'delivered' | 'failed';
}

/** A location in degrees. */
export interface SimulatedLocation {
  readonly latitude: number;
  readonly longitude: number;
}

export interface SimulatedPost {
  readonly chatId: string;
  /** Display name. The same name is always the same account. */
  readonly sender: string;
  readonly text: string;
  readonly replyToId?: string;
  readonly files?: readonly SimulatedFile[];
  /** Whether the account is a bot, other than the connected one. Default false. */
  readonly bot?: boolean;
}

export interface SimulatorOptions {
  /** Port on 127.0.0.1. Default 0: a free port. */
  readonly port?: number;
  /** `documented`, the default, enforces the published limits. `none` disables the rate limits, for benchmarks. */
  readonly limits?: 'documented' | 'none';
  /** A factor by which the rate limits are higher than documented, so that hours can be measured in minutes. Default 1. */
  readonly limitsFaster?: number;
  /**
   * The first number of sequential ids. Default 1. A simulator that replaces another one on the same connection needs a
   * higher number, or its messages are treated as duplicates.
   */
  readonly firstNumber?: number;
}

/** The values that an operator would enter to connect the simulated account. */
export interface SimulatedAccount {
  readonly credentials: Readonly<Record<string, string>>;
  readonly settings: Readonly<Record<string, string>>;
}

/** A value or a promise of it. A simulator that controls a separate server is asynchronous. */
export type Eventually<T> = T | Promise<T>;

/**
 * A local server with the API of a platform, complete enough for the platform's SDK. It enforces the documented limits and
 * records every request in a ledger. Adapters use it through `api_base_url`, like the platform.
 */
export interface Simulator {
  readonly platform: string;
  readonly ledger: Ledger;
  readonly faults: FaultDial;

  start(): Promise<{ readonly apiBaseUrl: string }>;
  stop(): Promise<void>;

  /** Credentials and settings of the simulated account, including `api_base_url`. Available after `start`. */
  account(): Eventually<SimulatedAccount>;

  /** The group and direct chats that exist from the start: at least one of each kind that the platform has. */
  chats(): Eventually<readonly SimulatedChat[]>;

  /** The address number `index` of an unlimited list of people who can be written to directly, such as recipients. */
  address(index: number): Eventually<string>;

  /** Sets the webhook URL, as an operator does in the console of the platform. No effect on polling and gateways. */
  setWebhook?(url: string): Eventually<void>;

  /** A person writes a message. Resolves with its id when the platform has stored it. The bot then gets it automatically. */
  post(message: SimulatedPost): Promise<string>;
  /** The author edits a message. Absent: the platform has no edits. */
  edit?(chatId: string, messageId: string, text: string): Promise<void>;
  remove?(chatId: string, messageId: string): Promise<void>;
  /** A person joins or leaves the chat. Absent: the platform does not report it to bots. */
  join?(chatId: string, name: string): Eventually<void>;
  leave?(chatId: string, name: string): Eventually<void>;
  /** A person starts typing. Absent: the platform does not report it to bots. */
  type?(chatId: string, sender: string): Eventually<void>;
  /** A person adds or removes a reaction with one Unicode emoji. */
  react?(
    chatId: string,
    messageId: string,
    sender: string,
    emoji: string,
    change: 'added' | 'removed',
  ): Eventually<void>;

  /** A person presses a button below a message. Absent: messages have no buttons. */
  press?(chatId: string, messageId: string, sender: string, label: string): Eventually<unknown>;
  /** A person sends a location. Resolves with the id of the message. Absent: the platform has no locations. */
  postLocation?(chatId: string, sender: string, location: SimulatedLocation): Promise<string>;
  /** Whether people see the typing indicator of the connected account. Absent: the platform has none. */
  isTyping?(chatId: string): Eventually<boolean>;

  /** Revokes the credentials. `account` returns new ones. */
  revokeToken?(): Eventually<void>;
  /** Changes the id of the chat and returns the new one. Requests with the old id are answered with the new id. */
  migrate?(chatId: string): Eventually<string>;
  /** Invalidates every file link that was issued so far. */
  expireMedia?(): Eventually<void>;
  /** Closes the sockets of all gateway clients with this code. */
  closeGateway?(code: number): Eventually<void>;
  /** Closes every connection abruptly: requests in progress and sockets. */
  disconnect?(): Eventually<void>;
  /** While true, open sockets stay open and transfer nothing, as after the loss of a network route. */
  freeze?(frozen: boolean): Eventually<void>;
  /** Deletes the gateway sessions, so that clients cannot resume and must start new ones. */
  forgetSessions?(): Eventually<void>;
  /** The number of open sockets of gateway clients. */
  readonly connections?: number;

  /** The messages of a chat as a person sees them, oldest first. The address of a person identifies their direct chat. */
  messages(chatId: string): Eventually<readonly SimulatedMessage[]>;
}

/** A simulator in the same process as its user, whose methods return their values synchronously. */
export interface SynchronousSimulator extends Simulator {
  account(): SimulatedAccount;
  chats(): readonly SimulatedChat[];
  address(index: number): string;
  migrate?(chatId: string): string;
  isTyping?(chatId: string): boolean;
  messages(chatId: string): readonly SimulatedMessage[];
}
