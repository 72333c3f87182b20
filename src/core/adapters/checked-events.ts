import type { Envelope, InboundEvent } from '../../contract/index.js';

type Fields = Readonly<Record<string, unknown>>;

const ofMessages = new Set(['message', 'message_edited', 'message_deleted', 'reaction', 'reactions_cleared']);
const withContent = new Set(['message', 'message_edited']);
const withSender = new Set(['message', 'reaction', 'typing', 'location']);
const withoutChat = new Set(['gap', 'unsupported']);

const LONGEST_KEY = 200;

/** What `decode` gave for an envelope, if the fields that the bridge needs are there; else an error that names the field. */
export function checkedEvents(
  { dedupeKey, lane }: Envelope,
  events: readonly InboundEvent[],
): readonly InboundEvent[] {
  for (const [name, key] of Object.entries({ dedupeKey, lane }))
    if (!isId(key) || key.length > LONGEST_KEY)
      throw new TypeError(`${name} of the envelope must be a text of 1 to ${LONGEST_KEY} characters.`);
  if (!Array.isArray(events)) throw new TypeError('It must answer a list of events.');
  for (const event of events) {
    const field = wrongField(event);
    if (field === undefined) continue;
    const type = String((event as Fields | null)?.type);
    throw new TypeError(`The event ${type} has a wrong or missing ${field}.`);
  }
  return events;
}

/** The first field that is missing or of another type. */
function wrongField(event: InboundEvent): string | undefined {
  const { type, chat, at, messageId, sender, content, emoji, reactionId } = (event ??
    {}) as unknown as Fields;
  if (typeof type !== 'string') return 'type';
  if (withoutChat.has(type)) return undefined;
  if (!isId((chat as Fields | undefined)?.id)) return 'chat.id';
  if (typeof at !== 'string') return 'at';
  if (isWithdrawal(event as unknown as Fields)) return isId(reactionId) ? undefined : 'reactionId';
  if (ofMessages.has(type) && !isId(messageId)) return 'messageId';
  if (withSender.has(type) && !isId((sender as Fields | undefined)?.id)) return 'sender.id';
  if (type === 'reaction' && !isId(emoji)) return 'emoji';
  return withContent.has(type) ? wrongContent(content as Fields | undefined) : undefined;
}

/** A removal that names nothing but the reaction. */
function isWithdrawal({ type, change, messageId, reactionId }: Fields): boolean {
  return type === 'reaction' && change === 'removed' && messageId === undefined && reactionId !== undefined;
}

function wrongContent(content: Fields | undefined): string | undefined {
  if (typeof content?.text !== 'string') return 'content.text';
  if (!Array.isArray(content.spans)) return 'content.spans';
  return Array.isArray(content.attachments) ? undefined : 'content.attachments';
}

const isId = (value: unknown): boolean => typeof value === 'string' && value !== '';
