import type { FaultDial } from './faults.js';
import type { SimulatedFile } from './form.js';
import type { Ledger } from './ledger.js';

/** A chat that a simulator offers to be bridged. */
export interface SimulatedChat {
  readonly id: string;
  readonly title: string;
  readonly kind: 'direct' | 'group';
}

/** A message as a person looking at the simulated platform sees it. */
export interface SimulatedMessage {
  readonly id: string;
  readonly chatId: string;
  /** Display name of the person or bot that wrote it. */
  readonly sender: string;
  /** Whether the connected account wrote it. */
  readonly own: boolean;
  readonly text: string;
  readonly replyToId?: string;
  readonly edited: boolean;
  readonly deleted: boolean;
  /** Absent: none, or the platform has no files. */
  readonly files?: readonly SimulatedFile[];
  /** The recipients that it notifies in addition to its readers: `everyone`, `here`, a role. Absent: none. */
  readonly pings?: readonly string[];
  /** Unicode emoji of the reactions on it, those of the connected account included. Absent: the simulator does not show them. */
  readonly reactions?: readonly string[];
  /** Labels of the buttons below it. Absent: none. */
  readonly buttons?: readonly string[];
  readonly location?: SimulatedLocation;
  /** Unix milliseconds. Absent: the simulator does not keep it. */
  readonly sentAt?: number;
  /** How far a message of the connected account came. Absent: the platform does not say it. */
  readonly receipt?: 'accepted' | 'sent' | 'delivered' | 'failed';
}

/** A place, in degrees. */
export interface SimulatedLocation {
  readonly latitude: number;
  readonly longitude: number;
}

export interface SimulatedPost {
  readonly chatId: string;
  /** Display name; the same name is always the same account. */
  readonly sender: string;
  readonly text: string;
  readonly replyToId?: string;
  readonly files?: readonly SimulatedFile[];
  /** The account is a bot, though not the connected one. Default false. */
  readonly bot?: boolean;
}

export interface SimulatorOptions {
  /** Port on 127.0.0.1; 0, the default, picks a free one. */
  readonly port?: number;
  /** `documented` enforces the platform's published limits, `none` lifts the rate limits (for benchmarks). Default `documented`. */
  readonly limits?: 'documented' | 'none';
  /** How many times as fast as documented the limits are, so that hours can be measured in minutes. Default 1. */
  readonly limitsFaster?: number;
  /**
   * Where ids that count begin, default 1. A simulator that follows another one on the same connection needs higher
   * ones, or its messages are taken for repeats.
   */
  readonly firstNumber?: number;
}

/** What an operator would enter to connect the simulated account. */
export interface SimulatedAccount {
  readonly credentials: Readonly<Record<string, string>>;
  readonly settings: Readonly<Record<string, string>>;
}

/** A simulator may answer at once or later: the one that drives a server of its own has to ask it. */
export type Eventually<T> = T | Promise<T>;

/**
 * A local server that speaks a platform's API well enough for the platform's own SDK, enforces its documented limits
 * and keeps a ledger of every request. Adapters reach it through `api_base_url` and can't tell it from the platform.
 */
export interface Simulator {
  readonly platform: string;
  readonly ledger: Ledger;
  readonly faults: FaultDial;

  start(): Promise<{ readonly apiBaseUrl: string }>;
  stop(): Promise<void>;

  /** Credentials and settings of the simulated account, `api_base_url` included. Usable after `start`. */
  account(): Eventually<SimulatedAccount>;

  /** Group-like chats and direct chats that exist from the start: at least one of each kind the platform has. */
  chats(): Eventually<readonly SimulatedChat[]>;

  /** The `index`-th address of an endless list of people who can be written to directly (broadcast recipients). */
  address(index: number): Eventually<string>;

  /** Tells the platform where to deliver events, as an operator would do in the platform's console. No effect on polling and gateways. */
  setWebhook?(url: string): Eventually<void>;

  /** A person writes. Resolves with the message's id once the platform has it (delivery to the bot follows by itself). */
  post(message: SimulatedPost): Promise<string>;
  /** The person changes what they wrote. Absent where the platform has no edits. */
  edit?(chatId: string, messageId: string, text: string): Promise<void>;
  remove?(chatId: string, messageId: string): Promise<void>;
  /** A person joins the chat or leaves it. Absent where the bot learns of neither. */
  join?(chatId: string, name: string): Eventually<void>;
  leave?(chatId: string, name: string): Eventually<void>;
  /** A person begins to type. Absent where the bot does not see it. */
  type?(chatId: string, sender: string): Eventually<void>;
  /** A person reacts with one Unicode emoji, or takes that back. */
  react?(
    chatId: string,
    messageId: string,
    sender: string,
    emoji: string,
    change: 'added' | 'removed',
  ): Eventually<void>;

  /** A person presses a button below a message. Absent where messages have no buttons. */
  press?(chatId: string, messageId: string, sender: string, label: string): Eventually<unknown>;
  /** A person sends a place as such. Resolves with the message's id. Absent where places are links in a text. */
  postLocation?(chatId: string, sender: string, location: SimulatedLocation): Promise<string>;
  /** Whether people see that the connected account types. Absent where they can't. */
  isTyping?(chatId: string): Eventually<boolean>;

  /** The credentials die at once; `account` has new ones. */
  revokeToken?(): Eventually<void>;
  /** The chat gets another id, which is returned. The old one answers with it. */
  migrate?(chatId: string): Eventually<string>;
  /** Every link to a file that was handed out so far is dead. */
  expireMedia?(): Eventually<void>;
  /** Closes the sockets of all gateway clients with this code. */
  closeGateway?(code: number): Eventually<void>;
  /** Cuts every connection, of requests under way and of sockets, without a word. */
  disconnect?(): Eventually<void>;
  /** While true, open sockets stay open and nothing comes through them, as after a lost route. */
  freeze?(frozen: boolean): Eventually<void>;
  /** What a client would resume is gone, so that it has to start a new session. */
  forgetSessions?(): Eventually<void>;
  /** Sockets of gateway clients that are open. */
  readonly connections?: number;

  /** The chat as a person sees it, oldest first. The address of a person names the direct chat with them. */
  messages(chatId: string): Eventually<readonly SimulatedMessage[]>;
}

/** A simulator in the same process as its user, which answers at once. */
export interface SynchronousSimulator extends Simulator {
  account(): SimulatedAccount;
  chats(): readonly SimulatedChat[];
  address(index: number): string;
  migrate?(chatId: string): string;
  isTyping?(chatId: string): boolean;
  messages(chatId: string): readonly SimulatedMessage[];
}
