import type { MessageScope } from '../access/message-scope.js';
import type { ClaimKey } from '../common/idempotency.js';
import type { ListPage, ListQuery } from '../listing/list-spec.js';
import type { NewMessage } from '../messages/ports.js';
import type { ChangeConversationBody, CreateLinkBody } from './bodies.js';
import type { DraftRecord, SaveDraftBody, SavedDraftRecord } from './draft-schema.js';
import type { ConversationRecord, LinkRecord, ParticipantRecord } from './record.js';

/** A conversation as identified in a path: its id or its number. */
export type ConversationKey = string | number;

/** A conversation to find or create, in the names of the database. */
export interface NewConversation {
  readonly id: string;
  readonly workspace_id: string;
  readonly creator_id: string;
  /** Default: `direct` with one other participant or a recipient, otherwise `group`. */
  readonly type?: string;
  readonly title: string | null;
  readonly team: string | null;
  readonly labels: readonly string[];
  readonly priority: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Selects the identity by which a contact is linked. */
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

/** Conversations of a workspace. Deleted conversations are not found. A scope with a participant hides those of other users. */
export interface ConversationStore {
  /**
   * Creates a conversation with its links and first message in one transaction, or finds the direct conversation of the
   * same pair and platform. Of concurrent requests for one pair, exactly one creates the conversation. Raises
   * `not_found`, `conflict` (`no_connection`, `already_exists`, `limit_reached`).
   */
  open(input: NewConversation): Promise<{ readonly record: ConversationRecord; readonly created: boolean }>;
  find(scope: MessageScope, key: ConversationKey, viewerId: string): Promise<ConversationRecord | undefined>;
  list(scope: MessageScope, viewerId: string, query: ListQuery): Promise<ListPage<ConversationRecord>>;
  /** Raises `not_found` (also for the assignee), and `conflict` (`invalid_state`) for a move that is not allowed. */
  change(
    scope: MessageScope,
    key: ConversationKey,
    viewerId: string,
    patch: ChangeConversationBody,
  ): Promise<ConversationRecord>;
  /** Deletes the conversation with its links and messages, and cancels unsent deliveries. Raises `not_found`. */
  delete(scope: MessageScope, key: ConversationKey, actorId: string): Promise<void>;
  /** Opens a snoozed conversation whose snooze has expired. Resolves with false if it is not snoozed any more. */
  endSnooze(id: string): Promise<boolean>;
}

/** Which members have a conversation open. A page must repeat its call, because an entry expires after 25 seconds. */
export interface ViewerStore {
  /** Resolves with the ids of the other viewers, at most 20. */
  view(workspaceId: string, conversationId: string, userId: string): Promise<string[]>;
  stop(workspaceId: string, conversationId: string, userId: string): Promise<void>;
}

/** A draft to store. */
export type NewDraft = SaveDraftBody & {
  readonly workspace_id: string;
  readonly conversation_id: string;
  readonly user_id: string;
};

/** Unsent drafts of members. A draft is deleted 30 days after its last change. */
export interface DraftStore {
  read(workspaceId: string, conversationId: string, userId: string): Promise<DraftRecord>;
  save(draft: NewDraft): Promise<SavedDraftRecord>;
}

/** Platform chats of conversations. All methods raise `not_found` for a conversation that is not visible. */
export interface LinkStore {
  list(scope: MessageScope, key: ConversationKey, query: ListQuery): Promise<ListPage<LinkRecord>>;
  /**
   * Raises `conflict`: `already_exists` with the id of the chat's link, or `limit_reached`. A call with the same id is
   * idempotent.
   */
  add(
    scope: MessageScope,
    key: ConversationKey,
    link: CreateLinkBody & { readonly id: string },
    claim?: ClaimKey,
  ): Promise<LinkRecord>;
  /** Removes a link and cancels its unsent deliveries. */
  remove(scope: MessageScope, key: ConversationKey, linkId: string): Promise<void>;
}

/** Participants of conversations. All methods raise `not_found` for a conversation that is not visible. */
export interface ParticipantStore {
  /** Includes participants who have left. */
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
