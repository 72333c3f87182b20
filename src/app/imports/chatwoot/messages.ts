import type { InboxMessage } from '../../../core/contact-imports/inbox.js';
import { isTooHeavy } from '../../../core/formatting/markdown-weight.js';
import type { StoredAttachment } from '../../../core/media/attachment.js';
import { type MessageAnswer, messageAnswer, numberOf, payloadOf } from './answers.js';
import type { Contacts } from './contacts.js';
import type { ImportContext } from './context.js';
import { Files } from './files.js';
import { MAX_PARTS } from './identifiers.js';
import { cut, isoTime, partsOf, storable } from './text.js';

/** Maximum length of a message in the API. */
const MAX_TEXT_LENGTH = 10_000;
const INCOMING = 0;
const ACTIVITY = 2;
const STATUSES: ReadonlySet<string> = new Set(['delivered', 'read', 'failed']);

/** The conversation whose messages are imported. */
interface Conversation {
  readonly number: number;
  readonly id: string;
  readonly contact: { readonly number: number; readonly userId: string };
  readonly platform: string | null;
}

/** Imports the messages of conversations, one page at a time. */
export class Messages {
  readonly #files: Files;

  constructor(
    private readonly context: ImportContext,
    private readonly contacts: Contacts,
  ) {
    this.#files = new Files(context);
  }

  async importAll(conversation: Conversation): Promise<void> {
    const { client, report, progress } = this.context;
    for (let after = 0; ; ) {
      const page = payloadOf(await client.get(`conversations/${conversation.number}/messages`, { after }));
      const read = page.map((each) => ({
        id: numberOf(each) ?? 0,
        message: messageAnswer.safeParse(each).data,
      }));
      const newer = read.filter(({ id }) => id > after);
      if (newer.length === 0) return;
      after = Math.max(...newer.map(({ id }) => id));
      for (const { id, message } of newer)
        if (message === undefined) report.skip('messages', id, 'The record has an unknown format.');
      await this.#importPage(
        conversation,
        newer.flatMap(({ message }) => message ?? []),
      );
      progress();
    }
  }

  /** Stores files before their messages, so that a message never lacks a file that it references. */
  async #importPage(conversation: Conversation, page: readonly MessageAnswer[]): Promise<void> {
    const { management, target, identifiers, report, dryRun } = this.context;
    const wanted = page.filter((message) => this.#isWanted(message));
    const ids = wanted.map(({ id }) => identifiers.of('message', id));
    const known = await management.inboxImports.known(target.workspace.id, ids);
    report.count('messages', 'existing', known.size);
    const missing = wanted.filter(({ id }) => !known.has(identifiers.of('message', id)));
    if (dryRun) return report.count('messages', 'created', missing.length);
    const made: InboxMessage[] = [];
    let amount = 0;
    for (const message of missing) {
      const parts = await this.#partsOf(conversation, message);
      if (parts.length === 0) report.skip('messages', message.id, 'It has no content that can be stored.');
      else amount += 1;
      made.push(...parts);
    }
    if (made.length === 0) return;
    const stored = await management.inboxImports.messages(target.workspace.id, conversation.id, made);
    report.count('messages', 'created', stored === 0 ? 0 : amount);
  }

  #isWanted({ id, message_type: type, content_attributes: attributes }: MessageAnswer): boolean {
    const { report } = this.context;
    if (type === ACTIVITY) report.count('messages', 'skipped');
    else if (attributes?.deleted === true) report.skip('messages', id, 'It was deleted in Chatwoot.');
    else return true;
    return false;
  }

  /** The messages for a Chatwoot message. A long text continues in further messages, as a long text of a platform does. */
  async #partsOf(conversation: Conversation, message: MessageAnswer): Promise<InboxMessage[]> {
    const { identifiers } = this.context;
    const direction =
      message.private === true ? 'internal' : message.message_type === INCOMING ? 'inbound' : 'outbound';
    const attachments = await this.#files.of(message);
    const text = storable(message.content ?? '');
    if (text.trim() === '' && attachments.length === 0) return [];
    const sender = await this.#senderOf(conversation, message, direction);
    const reply = message.content_attributes?.in_reply_to;
    return partsOf(text, MAX_TEXT_LENGTH)
      .slice(0, MAX_PARTS)
      .map((part, index) => ({
        id: identifiers.of('message', message.id, index),
        sender_id: sender.userId,
        text: part,
        content_type: direction === 'inbound' || isTooHeavy(part, true) ? 'text' : 'markdown',
        attachments: index === 0 ? attachments : ([] as StoredAttachment[]),
        direction,
        status: statusOf(direction, message.status),
        platform: direction === 'internal' ? null : conversation.platform,
        reply_to_id: index === 0 && isNumber(reply) ? identifiers.of('message', reply) : null,
        metadata: { chatwoot_id: message.id, ...sender.named },
        created_at: isoTime(message.created_at),
      }));
  }

  /**
   * The sender: a contact, a member with the e-mail address of the agent, or otherwise the owner. For the owner, the metadata
   * has the name of the sender.
   */
  async #senderOf(
    { contact }: Conversation,
    { sender }: MessageAnswer,
    direction: InboxMessage['direction'],
  ): Promise<{ readonly userId: string; readonly named?: Readonly<Record<string, string>> }> {
    const { target, agents, members } = this.context;
    if (direction === 'inbound') {
      if (sender == null || sender.id === contact.number) return { userId: contact.userId };
      const other = await this.contacts.of({ id: sender.id, name: sender.name });
      return { userId: 'reason' in other ? contact.userId : other.userId };
    }
    const email = sender?.type === 'user' ? agents.get(sender.id) : undefined;
    const member = email === undefined ? undefined : members.get(email);
    if (member !== undefined) return { userId: member };
    const name = cut(storable(sender?.name ?? ''), 128);
    return { userId: target.caller.userId, ...(name !== '' && { named: { chatwoot_sender: name } }) };
  }
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 && value < 2 ** 48;
}

function statusOf(direction: InboxMessage['direction'], status: string | null | undefined) {
  if (direction === 'inbound') return 'received' as const;
  if (direction === 'internal' || !STATUSES.has(status ?? '')) return 'sent' as const;
  return status as 'delivered' | 'read' | 'failed';
}
