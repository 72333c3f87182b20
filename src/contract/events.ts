import type { Content } from './content.js';
import type { RejectionReason } from './errors.js';
import type { RemoteChatId, RemoteMessageId, RemoteReactionId, RemoteThreadId, RemoteUserId } from './ids.js';

/** A chat of the platform. A `direct` chat has exactly one other person. */
export interface RemoteChat {
  readonly id: RemoteChatId;
  readonly threadId?: RemoteThreadId;
  /**
   * The thread has its own participants, such as a topic in the direct messages of a channel. Each such thread becomes a
   * separate conversation, and `kind` and `title` describe the thread. Default: threads belong to the conversation of
   * their chat.
   */
  readonly threadIsChat?: boolean;
  readonly kind: 'direct' | 'group' | 'channel';
  readonly title?: string;
}

export interface RemoteUser {
  readonly id: RemoteUserId;
  /** The name on the platform. Omit it if the platform reports none: an id or a handle would replace a known name. */
  readonly displayName?: string;
  readonly handle?: string;
  readonly avatarUrl?: string;
  readonly locale?: string;
  readonly isBot?: boolean;
}

/**
 * Fields of every event about one chat. `echo`: the account of the connection caused the event. An echo is recorded but
 * never relayed. Times are ISO 8601 in UTC.
 */
interface ChatEvent {
  readonly chat: RemoteChat;
  readonly at: string;
  readonly echo?: boolean;
}

/**
 * A change of an existing message or reaction. Events may arrive in any order. The bridge applies them in the order of the
 * platform: by `at`, then by `sequence`. Therefore `at` is the time of the change, not of the message.
 *
 * Set the actor if the platform's event names one. On many platforms any account can send such an event, and the bridge
 * drops a change by a person who is not the author.
 */
interface ChangeEvent extends ChatEvent {
  /** Orders changes with the same `at`: an integer from 0 that increases within a chat. Default 0. */
  readonly sequence?: number;
  /** The person who made the change. Default: the `sender` of the event. */
  readonly actor?: RemoteUser;
  /** Why the change is allowed. Optional in version 1 of the contract. */
  readonly authority: ChangeAuthority;
}

/**
 * Why a change is allowed. It is never derived from data that the actor controls.
 *
 * - `author`: the event names a person in `actor` or `sender`. The change is applied if this person is the author.
 * - `moderator`: the platform reports that a moderator of the chat made the change. It is applied.
 * - `platform`: the platform itself made the change, or has checked that the actor may make it. It is applied.
 * - `unknown`: the platform does not report it. The change is applied unless the event names a person who is not the author.
 */
export const authorities = ['author', 'moderator', 'platform', 'unknown'] as const;
export type ChangeAuthority = (typeof authorities)[number];

/**
 * The original of a message that the platform itself copied into this chat, such as a post of a Telegram channel in its
 * discussion group. If the bridge knows the original, the copy becomes another id of it and is neither stored nor relayed.
 */
interface PlatformCopy {
  readonly copyOf?: { readonly chatId: RemoteChatId; readonly messageId: RemoteMessageId };
}

export interface MessageReceived extends ChatEvent, PlatformCopy {
  readonly type: 'message';
  readonly messageId: RemoteMessageId;
  readonly sender: RemoteUser;
  readonly content: Content;
  readonly replyToId?: RemoteMessageId;
  /**
   * The time of the last edit, if the content is that of an edit, for example in a history. An older edit that arrives
   * later has no effect.
   */
  readonly editedAt?: string;
  /**
   * The `value` of the pressed button, if the message represents a button press. `content` is the label of the button, and
   * `sender` is the person that the platform names.
   */
  readonly press?: string;
  /** The platform has already replied to the message, for example to a keyword that ends or begins a subscription. */
  readonly answered?: boolean;
}

export interface MessageEdited extends ChangeEvent, PlatformCopy {
  readonly type: 'message_edited';
  readonly messageId: RemoteMessageId;
  readonly sender?: RemoteUser;
  readonly content: Content;
}

export interface MessageDeleted extends ChangeEvent {
  readonly type: 'message_deleted';
  readonly messageId: RemoteMessageId;
  readonly sender?: RemoteUser;
}

export interface ReactionChanged extends ChangeEvent {
  readonly type: 'reaction';
  readonly messageId: RemoteMessageId;
  /** The person who reacted. */
  readonly sender: RemoteUser;
  /** One Unicode emoji or `:name:`. */
  readonly emoji: string;
  readonly change: 'added' | 'removed';
  /**
   * The platform's id of the reaction, which is never reused. Required if the platform reports removals only by this id
   * (`ReactionWithdrawn`).
   */
  readonly reactionId?: RemoteReactionId;
}

/**
 * The removal of a reaction that the platform reports only by the id of the reaction, as redactions of Matrix and IRCv3 do.
 * The bridge knows the message and the emoji from the event that added the reaction, which may also arrive later. If the
 * platform does not distinguish the deletion of a message from the removal of a reaction, `decode` returns both events
 * with the same id, and the bridge applies the one whose id it knows.
 */
export interface ReactionWithdrawn extends ChangeEvent {
  readonly type: 'reaction';
  readonly change: 'removed';
  readonly reactionId: RemoteReactionId;
  /** The person who removed the reaction. Not needed if `actor` is set. */
  readonly sender?: RemoteUser;
  readonly messageId?: undefined;
  readonly emoji?: undefined;
}

/** A moderator removed reactions of a message: all of them, or those with one emoji. */
export interface ReactionsCleared extends ChangeEvent {
  readonly type: 'reactions_cleared';
  readonly messageId: RemoteMessageId;
  readonly emoji?: string;
}

/** The status of a message that the bridge sent. Receipts may repeat and arrive in any order. The core merges them. */
export interface ReceiptReported extends ChatEvent {
  readonly type: 'receipt';
  readonly messageId: RemoteMessageId;
  /**
   * `ExecuteContext.reference` of the create, if the platform returns it. It identifies the delivery even if the response
   * to the create was lost.
   */
  readonly reference?: string;
  readonly status: 'sent' | 'delivered' | 'read' | 'failed';
  readonly failure?: { readonly reason: RejectionReason; readonly code?: string; readonly message: string };
}

export interface TypingReported extends ChatEvent {
  readonly type: 'typing';
  readonly sender: RemoteUser;
  readonly state: 'started' | 'stopped';
}

/** The current position of a person who shares a live location. The message that started the sharing is a separate event. */
export interface LocationReported extends ChatEvent {
  readonly type: 'location';
  readonly sender: RemoteUser;
  readonly latitude: number;
  readonly longitude: number;
  /** Metres. */
  readonly accuracy?: number;
  /** Degrees, 0 to 360. */
  readonly heading?: number;
}

/** The chat has another id from now on. */
export interface ChatMoved extends ChatEvent {
  readonly type: 'chat_moved';
  readonly toChatId: RemoteChatId;
  /** Message ids start again in the new chat. An id of the old chat refers to another message there. */
  readonly renumbered?: boolean;
}

export interface ChatRenamed extends ChatEvent {
  readonly type: 'chat_renamed';
  readonly title: string;
}

/** A person joined or left. `self`: it is the account of the connection, and the links of the chat break or work again. */
export interface MembershipChanged extends ChatEvent {
  readonly type: 'membership';
  readonly user: RemoteUser;
  readonly change: 'joined' | 'left';
  readonly self?: boolean;
}

/** The person blocked (`opted_out`) or unblocked the account on the platform itself. */
export interface ConsentChanged extends ChatEvent {
  readonly type: 'consent';
  readonly user: RemoteUser;
  readonly change: 'opted_out' | 'opted_in';
}

/** Represents an unknown time, for example if its record is damaged. It is earlier than every gap. */
export const UNKNOWN_TIME = new Date(0).toISOString();

/** Events were missed and cannot be fetched any more. */
export interface GapDetected {
  readonly type: 'gap';
  /** The start of the gap, or `UNKNOWN_TIME`. */
  readonly since: string;
  readonly reason: string;
}

/** An event that the adapter does not support. It is stored and acknowledged like all others. */
export interface UnsupportedEvent {
  readonly type: 'unsupported';
  readonly what: string;
}

/** The meaning of a stored envelope. Unknown input is a value (`unsupported`), never an exception. */
export type InboundEvent =
  | MessageReceived
  | MessageEdited
  | MessageDeleted
  | ReactionChanged
  | ReactionWithdrawn
  | ReactionsCleared
  | ReceiptReported
  | TypingReported
  | LocationReported
  | ChatMoved
  | ChatRenamed
  | MembershipChanged
  | ConsentChanged
  | GapDetected
  | UnsupportedEvent;

/** Events that change a message or a reaction, with the fields of a change. */
export type Change = MessageEdited | MessageDeleted | ReactionChanged | ReactionWithdrawn | ReactionsCleared;

const changeTypes: ReadonlySet<string> = new Set<Change['type']>([
  'message_edited',
  'message_deleted',
  'reaction',
  'reactions_cleared',
]);

export function isChange(event: InboundEvent): event is Change {
  return changeTypes.has(event.type);
}
