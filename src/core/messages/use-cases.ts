import type { Caller } from '../access/caller.js';
import { scopeOf } from '../access/message-scope.js';
import { notFound } from '../common/errors.js';
import type { ClaimKey } from '../common/idempotency.js';
import type { ListPage, ListQuery } from '../listing/list-spec.js';
import { type TakeAttachments, takeFor } from '../media/take-attachments.js';
import type { Addresses } from '../platforms/addresses.js';
import type { EditMessageBody, SendMessageBody } from './bodies.js';
import type { MessageStore } from './ports.js';
import type { DeliveryRecord, MessageRecord, MessageVersionRecord } from './record.js';
import type { MessageTraceRecord } from './trace.js';

/** Use cases of messages. */

export class SendMessage {
  constructor(
    private readonly store: MessageStore,
    private readonly takeAttachments: TakeAttachments,
    private readonly addresses: Addresses,
  ) {}

  /**
   * Accepts a message for a conversation or an address. When this resolves, the message is committed with its deliveries and its
   * event. Raises `not_found`, and for an address `invalid_request` and `conflict` (`no_connection`).
   */
  async execute(
    caller: Caller,
    body: SendMessageBody,
    resourceId: string,
    claim?: ClaimKey,
  ): Promise<MessageRecord> {
    const { to, conversation_id: conversation } = body;
    const address = to && { ...to, address: this.addresses.ofOne(to.platform, to.address, 'to.address') };
    const attachments = await this.takeAttachments.execute(caller.workspaceId, body.attachments);
    const message = {
      id: resourceId,
      workspace_id: caller.workspaceId,
      sender_id: caller.userId,
      text: body.text,
      content_type: body.content_type,
      attachments,
      category: body.category,
      reply_to_id: body.reply_to_id ?? null,
      thread_id: body.thread_id ?? null,
      send_at: body.send_at ?? null,
      ttl_seconds: body.ttl_seconds,
      note: body.internal,
      metadata: body.metadata,
      ...(caller.onlyOwnConversations ? { participant_id: caller.userId } : {}),
      ...(claim === undefined ? {} : { claim }),
    };
    if (address !== undefined) return this.store.acceptTo(address, message);
    return this.store.accept(
      typeof conversation === 'number'
        ? { ...message, conversation_number: conversation }
        : { ...message, conversation_id: conversation as string },
    );
  }
}

/** Raises `not_found`. */
async function getMessage(store: MessageStore, caller: Caller, id: string): Promise<MessageRecord> {
  const message = await store.find(scopeOf(caller), id);
  if (message === undefined) throw notFound('The message');
  return message;
}

export class ReadMessages {
  constructor(private readonly store: MessageStore) {}

  get(caller: Caller, id: string): Promise<MessageRecord> {
    return getMessage(this.store, caller, id);
  }

  /** The content of the message before its edits, newest first. Raises `not_found`. */
  async versions(caller: Caller, id: string): Promise<readonly MessageVersionRecord[]> {
    await this.get(caller, id);
    return this.store.listVersions(caller.workspaceId, id);
  }

  /** The history of the message, step by step. Raises `not_found`. */
  async trace(caller: Caller, id: string): Promise<MessageTraceRecord> {
    await this.get(caller, id);
    return this.store.trace(caller.workspaceId, id);
  }

  list(
    caller: Caller,
    conversation: string | number | undefined,
    query: ListQuery,
  ): Promise<ListPage<MessageRecord>> {
    return this.store.list(scopeOf(caller), conversation, query);
  }

  async getDelivery(caller: Caller, id: string): Promise<DeliveryRecord> {
    const found = await this.store.findDelivery(scopeOf(caller), id);
    if (found === undefined) throw notFound('The delivery');
    return found;
  }

  listDeliveries(caller: Caller, query: ListQuery): Promise<ListPage<DeliveryRecord>> {
    return this.store.listDeliveries(scopeOf(caller), query);
  }
}

export class ChangeMessage {
  constructor(
    private readonly store: MessageStore,
    private readonly takeAttachments: TakeAttachments,
  ) {}

  async edit(caller: Caller, id: string, body: EditMessageBody): Promise<MessageRecord> {
    const { attachments, ...rest } = body;
    if (attachments === undefined) return this.store.edit(scopeOf(caller), id, rest);
    const taken = await takeFor(
      () => getMessage(this.store, caller, id),
      () => this.takeAttachments.execute(caller.workspaceId, attachments),
    );
    return this.store.edit(scopeOf(caller), id, { ...rest, attachments: taken });
  }

  async delete(caller: Caller, id: string): Promise<void> {
    await this.store.delete(scopeOf(caller), id, caller.userId);
  }
}
