import type { MessageScope } from '../access/message-scope.js';
import type { ClaimKey } from '../common/idempotency.js';
import type { ListPage, ListQuery } from '../listing/list-spec.js';
import type { NewMessage } from '../messages/ports.js';
import type { ChangeConversationBody, CreateLinkBody } from './bodies.js';
import type { DraftRecord, SaveDraftBody, SavedDraftRecord } from './draft-schema.js';
import type { ConversationRecord, LinkRecord, ParticipantRecord } from './record.js';

/** A conversation as the path names it: its id or its number. */
export type ConversationKey = string | number;

/** What is to be found or created, in the names of the database. */
export interface NewConversation {
  readonly id: string;
  readonly workspace_id: string;
  readonly creator_id: string;
  /** Absent: `direct` for one other participant or a recipient, else `group`. */
  readonly type?: string;
  readonly title: string | null;
  readonly team: string | null;
  readonly labels: readonly string[];
  readonly priority: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Picks the identity by which a contact is linked. */
  readonly platform: string | null;
  readonly participant_ids: readonly string[];
  readonly recipient?: {
    readonly platform: string;
    readonly address: string;
    readonly connection_id?: string;
  };
  readonly links?: readonly CreateLinkBody[];
  readonly message?: Omit<NewMessage, 'workspace_id' | 'sender_id'>;
  readonly claim?: ClaimKey;
}

/** Conversations of a workspace. Deleted ones don't exist; a scope with a participant hides those of others. */
export interface ConversationStore {
  /**
   * Creates a conversation with its links and first message in one transaction, or finds the direct one of the same pair
   * and platform; of parallel requests for one pair one creates it. Raises `not_found`, `conflict` (`no_connection`,
   * `already_exists`, `limit_reached`).
   */
  open(input: NewConversation): Promise<{ readonly record: ConversationRecord; readonly created: boolean }>;
  find(scope: MessageScope, key: ConversationKey, viewerId: string): Promise<ConversationRecord | undefined>;
  list(scope: MessageScope, viewerId: string, query: ListQuery): Promise<ListPage<ConversationRecord>>;
  /** Raises `not_found` (also for the assignee), `conflict` (`invalid_state`) for a move that is not allowed. */
  change(
    scope: MessageScope,
    key: ConversationKey,
    viewerId: string,
    patch: ChangeConversationBody,
  ): Promise<ConversationRecord>;
  /** Takes its links and messages with it; unsent deliveries are canceled. Raises `not_found`. */
  delete(scope: MessageScope, key: ConversationKey, actorId: string): Promise<void>;
  /** Opens a snoozed conversation whose time has come. False when it was not waiting any more. */
  endSnooze(id: string): Promise<boolean>;
}

/** Which members have a conversation open. What a page does not repeat is forgotten after 25 seconds. */
export interface ViewerStore {
  /** The ids of the others, at most 20. */
  view(workspaceId: string, conversationId: string, userId: string): Promise<string[]>;
  stop(workspaceId: string, conversationId: string, userId: string): Promise<void>;
}

/** A draft to store. */
export type NewDraft = SaveDraftBody & {
  readonly workspace_id: string;
  readonly conversation_id: string;
  readonly user_id: string;
};

/** What members are writing. A draft goes 30 days after its last change. */
export interface DraftStore {
  read(workspaceId: string, conversationId: string, userId: string): Promise<DraftRecord>;
  save(draft: NewDraft): Promise<SavedDraftRecord>;
}

/** Platform chats of conversations. All methods raise `not_found` for a conversation that is not visible. */
export interface LinkStore {
  list(scope: MessageScope, key: ConversationKey, query: ListQuery): Promise<ListPage<LinkRecord>>;
  /** Raises `conflict`: `already_exists` with the id of the chat's link, `limit_reached`. The same id again answers the same. */
  add(
    scope: MessageScope,
    key: ConversationKey,
    link: CreateLinkBody & { readonly id: string },
    claim?: ClaimKey,
  ): Promise<LinkRecord>;
  /** Cancels what was not sent yet. */
  remove(scope: MessageScope, key: ConversationKey, linkId: string): Promise<void>;
}

/** People of conversations. All methods raise `not_found` for a conversation that is not visible. */
export interface ParticipantStore {
  /** Also those who left. */
  list(scope: MessageScope, key: ConversationKey, query: ListQuery): Promise<ListPage<ParticipantRecord>>;
  /** Raises `conflict`: `already_exists`, `limit_reached`, `invalid_state` for a direct conversation. */
  add(
    scope: MessageScope,
    key: ConversationKey,
    participant: { readonly user_id: string; readonly role?: string },
    claim?: ClaimKey,
  ): Promise<ParticipantRecord>;
  remove(scope: MessageScope, key: ConversationKey, userId: string): Promise<void>;
}
