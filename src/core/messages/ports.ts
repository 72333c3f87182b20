import type { JsonObject } from '../../contract/index.js';
import type { MessageScope } from '../access/message-scope.js';
import type { ClaimKey } from '../common/idempotency.js';
import type { ListPage, ListQuery } from '../listing/list-spec.js';
import type { StoredAttachment } from '../media/attachment.js';
import type { DeliveryRecord, MessageRecord, MessageVersionRecord } from './record.js';
import type { MessageTraceRecord } from './trace.js';

/** A message to store, with the field names of the database. */
export interface NewMessage {
  readonly id: string;
  readonly workspace_id: string;
  /** Exactly one of these two is set. */
  readonly conversation_id?: string;
  readonly conversation_number?: number;
  readonly sender_id: string;
  readonly text: string;
  readonly content_type?: 'text' | 'markdown';
  readonly spans?: JsonObject[] | null;
  readonly attachments?: readonly StoredAttachment[];
  readonly category?: string;
  readonly reply_to_id?: string | null;
  readonly thread_id?: string | null;
  readonly send_at?: string | null;
  readonly ttl_seconds?: number;
  readonly note?: boolean;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Only if this user takes part in the conversation. */
  readonly participant_id?: string;
  readonly claim?: ClaimKey;
}

/** The destination of a message that names no conversation, with the field names of the database. */
export interface MessageAddress {
  readonly platform: string;
  readonly address: string;
  /** Absent: the first connection of the platform. */
  readonly connection_id?: string;
}

export interface MessageChange {
  readonly text?: string;
  readonly content_type?: string;
  readonly attachments?: readonly StoredAttachment[];
  readonly send_at?: string | null;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface MessageStore {
  /** Stores a message with deliveries, outbox rows and events in one transaction. Raises `not_found` for missing references. */
  accept(message: NewMessage): Promise<MessageRecord>;
  /**
   * Same, for an address. Finds or creates the contact and the direct conversation in the same transaction. Raises `not_found`
   * and `conflict` (`no_connection`).
   */
  acceptTo(to: MessageAddress, message: NewMessage): Promise<MessageRecord>;
  find(scope: MessageScope, id: string): Promise<MessageRecord | undefined>;
  /** The content of the message before its edits, newest first, at most 50. */
  listVersions(workspaceId: string, id: string): Promise<readonly MessageVersionRecord[]>;
  /** The history of the message, earliest steps first. The number of steps is limited. */
  trace(workspaceId: string, id: string): Promise<MessageTraceRecord>;
  /** Messages of one conversation (raises `not_found` if it is not visible), or all visible ones. */
  list(
    scope: MessageScope,
    conversation: string | number | undefined,
    query: ListQuery,
  ): Promise<ListPage<MessageRecord>>;
  edit(scope: MessageScope, id: string, change: MessageChange): Promise<MessageRecord>;
  delete(scope: MessageScope, id: string, actorId: string): Promise<void>;
  /** Releases a scheduled message whose time has come. Resolves with false if the message was no longer waiting. */
  release(id: string): Promise<boolean>;
  findDelivery(scope: MessageScope, id: string): Promise<DeliveryRecord | undefined>;
  listDeliveries(scope: MessageScope, query: ListQuery): Promise<ListPage<DeliveryRecord>>;
}
