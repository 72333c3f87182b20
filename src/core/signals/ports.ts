import type { MessageScope } from '../access/message-scope.js';
import type { ClaimKey } from '../common/idempotency.js';
import type { ConversationKey } from '../conversations/ports.js';

/** A reaction that a chat should show or take back, leased to one worker. */
export interface ReactionTask {
  readonly message_id: string;
  readonly link_id: string;
  readonly emoji: string;
  readonly wanted: boolean;
  /** Tries made, this one included. */
  readonly tries: number;
  /** The lease: a settlement under an old one changes nothing. */
  readonly token: string;
  readonly external_chat_id: string;
  readonly external_thread_id: string | null;
  /** The platform's id of the message. */
  readonly external_id: string;
}

export type ReactionOutcome =
  | { readonly outcome: 'done' | 'never' }
  /** `counted` false: not a try, the platform asked for the wait. */
  | { readonly outcome: 'later'; readonly at: string; readonly counted: boolean };

/** Which reactions the chats of messages should show and do. */
export interface ReactionCopies {
  claim(connectionId: string, most: number): Promise<readonly ReactionTask[]>;
  /**
   * `single`: the account shows one reaction per message, so that the one that is shown takes the place of the others, and
   * when it is taken back the latest other that is wanted follows.
   */
  settle(task: ReactionTask, outcome: ReactionOutcome, single: boolean): Promise<void>;
}

/** A chat in which a user's typing can be shown. */
export interface TypingTarget {
  readonly connection_id: string;
  readonly external_chat_id: string;
  readonly external_thread_id: string | null;
  /** Set while the chat was not opened on the platform yet. */
  readonly address: string | null;
}

export interface TypingSigns {
  /** Reports that a user types or stopped. Raises `not_found`. */
  signal(
    scope: MessageScope,
    key: ConversationKey,
    userId: string,
    state: 'started' | 'stopped',
    claim?: ClaimKey,
  ): Promise<{ readonly accepted: true }>;
  /** Chats that messages of a conversation go to, but the one that the sign came by. */
  targets(conversationId: string, fromLinkId: string | undefined): Promise<readonly TypingTarget[]>;
}
