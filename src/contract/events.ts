import type { Content } from './content.js';
import type { RejectionReason } from './errors.js';
import type { RemoteChatId, RemoteMessageId, RemoteReactionId, RemoteThreadId, RemoteUserId } from './ids.js';

/** A chat as the platform names it. `direct` has exactly one other person in it. */
export interface RemoteChat {
  readonly id: RemoteChatId;
  readonly threadId?: RemoteThreadId;
  /**
   * The thread has its own participants, as a topic in the direct messages of a channel has. Each such thread becomes a
   * conversation of its own, and `kind` and `title` describe the thread. Default: threads belong to the conversation of their chat.
   */
  readonly threadIsChat?: boolean;
  readonly kind: 'direct' | 'group' | 'channel';
  readonly title?: string;
}

export interface RemoteUser {
  readonly id: RemoteUserId;
  /** What the platform calls them; left out where it doesn't say: an id or a handle in its place would replace a name. */
  readonly displayName?: string;
  readonly handle?: string;
  readonly avatarUrl?: string;
  readonly locale?: string;
  readonly isBot?: boolean;
}

/**
 * Fields of every event about one chat. `echo` is true when the connection's own account caused it:
 * an echo is recorded but never relayed. Times are ISO 8601 UTC.
 */
interface ChatEvent {
  readonly chat: RemoteChat;
  readonly at: string;
  readonly echo?: boolean;
}

/**
 * A change of something that is there: a message or a reaction. Events may reach the bridge in any order, and it applies them in
 * the platform's: by `at`, then by `sequence`. `at` is therefore the time of the change, not that of the message.
 *
 * Name the actor wherever the platform's event does: on many platforms any account can send such an event, and the bridge drops a
 * change by another person than the author.
 */
interface ChangeEvent extends ChatEvent {
  /** Which of the changes with the same `at` came later: a whole number from 0 that grows within a chat. Default 0. */
  readonly sequence?: number;
  /** Who made the change. Default: the event's `sender`. */
  readonly actor?: RemoteUser;
  /** By whose right. Version 1 of the contract allows it to be absent. */
  readonly authority: ChangeAuthority;
}

/**
 * By whose right something is changed. Never derived from what an actor says of themselves.
 *
 * - `author`: the person that the event names, in `actor` or `sender`, who must be the author. The bridge compares them.
 * - `moderator`: the platform's event says that a moderator of the chat did it. Applied.
 * - `platform`: the event comes from the platform itself, which has checked that the actor may do this. Applied.
 * - `unknown`: the platform does not say. Applied, unless the event names another person than the author.
 */
export const authorities = ['author', 'moderator', 'platform', 'unknown'] as const;
export type ChangeAuthority = (typeof authorities)[number];

/**
 * The message of which the platform itself has put a copy into this chat, as Telegram does with the posts of a channel in its
 * discussion group. Where the bridge knows that message, the copy is the same one: it is neither stored nor relayed.
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
  /** When the message was last edited, where its content is that of an edit, as in a history. An older edit that arrives later has no effect. */
  readonly editedAt?: string;
  /**
   * The `value` of the pressed button, if the message represents a press. `content` is its label, and `sender` is the person that
   * the platform itself names.
   */
  readonly press?: string;
  /** The platform has answered this itself, as it does to words that end or begin a subscription. */
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
  /** Whose reaction it is. */
  readonly sender: RemoteUser;
  /** One Unicode emoji or `:name:`. */
  readonly emoji: string;
  readonly change: 'added' | 'removed';
  /**
   * The platform's id of the reaction itself, never used for another one. The bridge keeps it if the platform reports removals by
   * it alone (`ReactionWithdrawn`).
   */
  readonly reactionId?: RemoteReactionId;
}

/**
 * A reaction was taken back, and the platform names nothing but the reaction, as redactions of Matrix and IRCv3 do. The bridge knows
 * its message and emoji from the event that added it, which may also arrive later. Where a deletion of a message and the
 * removal of a reaction look the same, `decode` answers both with the same id, and the bridge applies the one that it knows.
 */
export interface ReactionWithdrawn extends ChangeEvent {
  readonly type: 'reaction';
  readonly change: 'removed';
  readonly reactionId: RemoteReactionId;
  /** Who took it back, unless `actor` says so. */
  readonly sender?: RemoteUser;
  readonly messageId?: undefined;
  readonly emoji?: undefined;
}

/** A moderator took reactions of a message away: all of them, or those with one emoji. */
export interface ReactionsCleared extends ChangeEvent {
  readonly type: 'reactions_cleared';
  readonly messageId: RemoteMessageId;
  readonly emoji?: string;
}

/** What became of a message we sent. Receipts may repeat and arrive in any order; the core merges them. */
export interface ReceiptReported extends ChatEvent {
  readonly type: 'receipt';
  readonly messageId: RemoteMessageId;
  /**
   * `ExecuteContext.reference` of the create, where the platform gives it back. It names the delivery whose message this is,
   * also when the answer to the create never arrived.
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

/** Where a person who shares a live location is now. The message that began the sharing comes as one of its own. */
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

/** The chat exists under another address from now on. */
export interface ChatMoved extends ChatEvent {
  readonly type: 'chat_moved';
  readonly toChatId: RemoteChatId;
  /** Message ids start again there: an id of the old chat is that of another message, and what has it can't be reached. */
  readonly renumbered?: boolean;
}

export interface ChatRenamed extends ChatEvent {
  readonly type: 'chat_renamed';
  readonly title: string;
}

/** A person joined or left; `self` when it is the connection's own account: the links of the chat are broken by it, or whole again. */
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

/** Stands for a time that is unknown, because its record is damaged. It is earlier than every gap. */
export const UNKNOWN_TIME = new Date(0).toISOString();

/** Events were missed and can't be fetched any more. */
export interface GapDetected {
  readonly type: 'gap';
  /** `UNKNOWN_TIME` if it is unknown since when. */
  readonly since: string;
  readonly reason: string;
}

/** Anything the adapter has no use for. Stored and acknowledged like all others. */
export interface UnsupportedEvent {
  readonly type: 'unsupported';
  readonly what: string;
}

/** What a stored envelope means. Unknown input is a value (`unsupported`), never an exception. */
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
