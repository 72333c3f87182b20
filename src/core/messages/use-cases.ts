import type { Caller } from '../access/caller.js';
import { notFound } from '../errors.js';
import type { ListPage, ListQuery } from '../listing/list-spec.js';
import { type TakeAttachments, takeFor } from '../media/take-attachments.js';
import type { ClaimKey } from '../ports/idempotency.js';
import type { MessageScope, MessageStore } from '../ports/messages.js';
import type { EditMessageBody, SendMessageBody } from './bodies.js';
import type { DeliveryRecord, MessageRecord } from './record.js';

/** What a caller does with messages through the interface. */

export function scopeOf(caller: Caller): MessageScope {
  return caller.onlyOwnConversations
    ? { workspaceId: caller.workspaceId, participantId: caller.userId }
    : { workspaceId: caller.workspaceId };
}

export class SendMessage {
  constructor(
    private readonly store: MessageStore,
    private readonly takeAttachments: TakeAttachments,
  ) {}

  /** Accepts a message: when this resolves it is committed with its deliveries and its event. */
  async execute(
    caller: Caller,
    body: SendMessageBody,
    resourceId: string,
    claim?: ClaimKey,
  ): Promise<MessageRecord> {
    const attachments = await this.takeAttachments.execute(caller.workspaceId, body.attachments);
    const conversation =
      typeof body.conversation_id === 'number'
        ? { conversation_number: body.conversation_id }
        : { conversation_id: body.conversation_id };
    return this.store.accept({
      id: resourceId,
      workspace_id: caller.workspaceId,
      sender_id: caller.userId,
      ...conversation,
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
    });
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
