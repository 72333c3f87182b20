import type { MessageScope } from '../access/message-scope.js';
import type { ClaimKey } from '../common/idempotency.js';
import type { ConversationKey } from '../conversations/ports.js';

/** A reaction to add or remove in a chat, leased to one worker. */
export interface ReactionTask {
  readonly message_id: string;
  readonly link_id: string;
  readonly emoji: string;
  readonly wanted: boolean;
  /** Number of attempts, including this one. */
  readonly tries: number;
  /** The lease. A result under an old lease has no effect. */
  readonly token: string;
  readonly external_chat_id: string;
  readonly external_thread_id: string | null;
  /** The platform's id of the message. */
  readonly external_id: string;
}

export type ReactionOutcome =
  | { readonly outcome: 'done' | 'never' }
  /** `counted` false: not an attempt, because the platform asked for the wait. */
  | { readonly outcome: 'later'; readonly at: string; readonly counted: boolean };

/** The wanted and the shown reactions of messages in chats. */
export interface ReactionCopies {
  claim(connectionId: string, maxReactions: number): Promise<readonly ReactionTask[]>;
  /**
   * `single`: the account can show one reaction per message. An added reaction replaces the shown one. After a removal, the
   * latest other wanted reaction is due.
   */
  settle(task: ReactionTask, outcome: ReactionOutcome, single: boolean): Promise<void>;
}

/** A chat that can show that a user is typing. */
export interface TypingTarget {
  readonly connection_id: string;
  readonly external_chat_id: string;
  readonly external_thread_id: string | null;
  /** Set if the chat was not opened on the platform yet. */
  readonly address: string | null;
}

export interface TypingSigns {
  /** Reports that a user started or stopped typing. Raises `not_found`. */
  signal(
    scope: MessageScope,
    key: ConversationKey,
    userId: string,
    state: 'started' | 'stopped',
    claim?: ClaimKey,
  ): Promise<{ readonly accepted: true }>;
  /** Chats that get the messages of a conversation, except the chat that the signal came from. */
  targets(conversationId: string, fromLinkId: string | undefined): Promise<readonly TypingTarget[]>;
}
