import type { Caller } from '../access/caller.js';
import { scopeOf } from '../access/message-scope.js';
import { invalidField, notFound } from '../common/errors.js';
import type { ClaimKey } from '../common/idempotency.js';
import { newId } from '../common/new-id.js';
import type { ListPage, ListQuery } from '../listing/list-spec.js';
import type { TakeAttachments } from '../media/take-attachments.js';
import type { Addresses } from '../platforms/addresses.js';
import type { AddParticipantBody, CreateConversationBody, CreateLinkBody } from './bodies.js';
import type { LinkedChats } from './linked-chats.js';
import type {
  ConversationKey,
  ConversationStore,
  LinkStore,
  NewConversation,
  ParticipantStore,
} from './ports.js';
import type { ConversationRecord, LinkRecord, ParticipantRecord } from './record.js';

/** Use cases of conversations in the API. */

export class OpenConversation {
  constructor(
    private readonly store: ConversationStore,
    private readonly takeAttachments: TakeAttachments,
    private readonly addresses: Addresses,
    private readonly chats: LinkedChats,
  ) {}

  /**
   * Creates a conversation with its first message, or finds the direct conversation of the same pair and platform.
   *
   * Raises `not_found`, `conflict` (`no_connection`, `already_exists`, `limit_reached`).
   */
  async execute(
    caller: Caller,
    body: CreateConversationBody,
    resourceId: string,
    claim?: ClaimKey,
  ): Promise<{ readonly record: ConversationRecord; readonly created: boolean }> {
    const { message, type, participant_ids: participantIds, ...fields } = body;
    if (type === 'direct' && participantIds !== undefined) assertOneOther(caller, participantIds);
    const recipient = body.recipient && this.recipientOf(body.recipient);
    const links = await this.linksOf(caller, body.links);
    const first = message === undefined ? undefined : await this.firstMessage(caller.workspaceId, message);
    const { connection_id: connectionId, ...address } = recipient ?? {};
    return this.store.open({
      id: resourceId,
      workspace_id: caller.workspaceId,
      creator_id: caller.userId,
      title: fields.title ?? null,
      team: fields.team ?? null,
      platform: fields.platform ?? null,
      labels: fields.labels,
      priority: fields.priority,
      metadata: fields.metadata,
      participant_ids: participantIds ?? [],
      ...(type === undefined ? {} : { type }),
      ...(recipient === undefined
        ? {}
        : {
            recipient: { ...(address as NewAddress), ...(connectionId && { connection_id: connectionId }) },
          }),
      ...(links === undefined ? {} : { links }),
      ...(first === undefined ? {} : { message: first }),
      ...(claim === undefined ? {} : { claim }),
    });
  }

  private recipientOf(sent: NonNullable<CreateConversationBody['recipient']>) {
    const { platform, address } = sent;
    return { ...sent, address: this.addresses.ofOne(platform, address, 'recipient.address') };
  }

  private async linksOf(caller: Caller, sent: CreateConversationBody['links']) {
    const read = sent?.map((link, index) => this.chats.check(caller, link, `links.${index}.external_id`));
    return read && Promise.all(read);
  }

  private async firstMessage(
    workspaceId: string,
    body: NonNullable<CreateConversationBody['message']>,
  ): Promise<NonNullable<NewConversation['message']>> {
    return {
      id: newId(),
      text: body.text,
      content_type: body.content_type,
      attachments: await this.takeAttachments.execute(workspaceId, body.attachments, 'message.attachments'),
      category: body.category,
      reply_to_id: body.reply_to_id ?? null,
      thread_id: body.thread_id ?? null,
      send_at: body.send_at ?? null,
      ttl_seconds: body.ttl_seconds,
      note: body.internal,
      metadata: body.metadata,
    };
  }
}

/** The caller always takes part. The list may contain the caller. */
function assertOneOther(caller: Caller, participantIds: readonly string[]): void {
  const others = new Set(participantIds.filter((id) => id !== caller.userId));
  if (others.size === 1) return;
  const message = 'a direct conversation has exactly one other participant';
  throw invalidField('participant_ids', 'invalid_value', message);
}

interface NewAddress {
  readonly platform: string;
  readonly address: string;
}

export class ReadConversations {
  constructor(private readonly store: ConversationStore) {}

  /** Raises `not_found`. */
  async get(caller: Caller, key: ConversationKey): Promise<ConversationRecord> {
    const found = await this.store.find(scopeOf(caller), key, caller.userId);
    if (found === undefined) throw notFound('The conversation');
    return found;
  }

  list(caller: Caller, query: ListQuery): Promise<ListPage<ConversationRecord>> {
    return this.store.list(scopeOf(caller), caller.userId, query);
  }
}

export class ManageLinks {
  constructor(
    private readonly store: LinkStore,
    private readonly chats: LinkedChats,
  ) {}

  list(caller: Caller, key: ConversationKey, query: ListQuery): Promise<ListPage<LinkRecord>> {
    return this.store.list(scopeOf(caller), key, query);
  }

  /** Raises `invalid_request`, `not_found`, `conflict` (`already_exists`, `limit_reached`). */
  async add(
    caller: Caller,
    key: ConversationKey,
    body: CreateLinkBody,
    resourceId: string,
    claim?: ClaimKey,
  ): Promise<LinkRecord> {
    const link = await this.chats.check(caller, body, 'external_id');
    return this.store.add(scopeOf(caller), key, { ...link, id: resourceId }, claim);
  }

  /** Cancels deliveries that were not sent yet. Raises `not_found`. */
  remove(caller: Caller, key: ConversationKey, linkId: string): Promise<void> {
    return this.store.remove(scopeOf(caller), key, linkId);
  }
}

export class ManageParticipants {
  constructor(private readonly store: ParticipantStore) {}

  list(caller: Caller, key: ConversationKey, query: ListQuery): Promise<ListPage<ParticipantRecord>> {
    return this.store.list(scopeOf(caller), key, query);
  }

  /** Raises `not_found`, `conflict` (`already_exists`, `limit_reached`, `invalid_state`). */
  add(
    caller: Caller,
    key: ConversationKey,
    { user_id, role }: AddParticipantBody,
    claim?: ClaimKey,
  ): Promise<ParticipantRecord> {
    const participant = role === undefined ? { user_id } : { user_id, role };
    return this.store.add(scopeOf(caller), key, participant, claim);
  }

  /** Raises `not_found` if the user is not a participant. */
  remove(caller: Caller, key: ConversationKey, userId: string): Promise<void> {
    return this.store.remove(scopeOf(caller), key, userId);
  }
}
