import type { JsonObject } from '../../contract/index.js';
import type { MessageScope } from '../access/message-scope.js';
import type { ClaimKey } from '../common/idempotency.js';
import type { ListPage, ListQuery } from '../listing/list-spec.js';
import type { StoredAttachment } from '../media/attachment.js';
import type { DeliveryRecord, MessageRecord, MessageVersionRecord } from './record.js';
import type { MessageTraceRecord } from './trace.js';

/** A message to be stored, in the names of the database. */
export interface NewMessage {
  readonly id: string;
  readonly workspace_id: string;
  /** One of both. */
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
  /** Only a conversation in which this user takes part. */
  readonly participant_id?: string;
  readonly claim?: ClaimKey;
}

/** Where a message goes that names no conversation, in the names of the database. */
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
  /** Stores a message with deliveries, outbox rows and events in one transaction. Raises not_found for what it refers to. */
  accept(message: NewMessage): Promise<MessageRecord>;
  /**
   * The same to an address: the contact and the direct conversation are found or created in that transaction. Raises
   * `not_found` and `conflict` (`no_connection`).
   */
  acceptTo(to: MessageAddress, message: NewMessage): Promise<MessageRecord>;
  find(scope: MessageScope, id: string): Promise<MessageRecord | undefined>;
  /** What the message said before its edits, the newest first; at most 50. */
  listVersions(workspaceId: string, id: string): Promise<readonly MessageVersionRecord[]>;
  /** Messages of one conversation (raises not_found when it is not visible), or all visible ones. */
  /** What happened to the message, the earliest steps first; a bounded number. */
  trace(workspaceId: string, id: string): Promise<MessageTraceRecord>;
  list(
    scope: MessageScope,
    conversation: string | number | undefined,
    query: ListQuery,
  ): Promise<ListPage<MessageRecord>>;
  edit(scope: MessageScope, id: string, change: MessageChange): Promise<MessageRecord>;
  delete(scope: MessageScope, id: string, actorId: string): Promise<void>;
  /** Scheduled messages whose time has come. Resolves false when it was not waiting any more. */
  release(id: string): Promise<boolean>;
  findDelivery(scope: MessageScope, id: string): Promise<DeliveryRecord | undefined>;
  listDeliveries(scope: MessageScope, query: ListQuery): Promise<ListPage<DeliveryRecord>>;
}
