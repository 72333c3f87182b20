import type { ConversationsHistoryResponse } from '@slack/web-api';
import { APP_ID, BOT_ID, BOT_USER, type StoredMessage } from './workspace.js';

export type Arguments = Readonly<Record<string, string>>;

interface Failure {
  readonly ok: false;
  readonly error: string;
  readonly needed?: string;
}
export type Answer<T> = (T & { ok: true; writes?: never }) | Failure;

/** A response without declared fields. The clients that read it check its fields. */
export type OpenAnswer = Answer<Readonly<Record<string, unknown>>>;

export function failed(error: string): Failure {
  return { ok: false, error };
}

export type Listed = NonNullable<ConversationsHistoryResponse['messages']>[number] & {
  readonly metadata?: object;
};

/** A message in the format of the history. */
export function listed(message: StoredMessage, withMetadata: boolean): Listed {
  if (message.deleted) return tombstone(message);
  const files = [...(message.files ?? [])].map(([id, { name, mimeType, bytes }]) => {
    return { id, name, title: name, mimetype: mimeType, size: bytes.length };
  });
  return {
    type: 'message',
    user: message.author.id,
    ts: message.ts,
    text: message.text,
    ...authorOf(message),
    ...(message.persona === undefined ? {} : { subtype: 'bot_message', username: message.persona.username }),
    ...(message.blocks === undefined ? {} : { blocks: message.blocks as never }),
    ...(message.attachments === undefined ? {} : { attachments: message.attachments as never }),
    ...(files.length === 0 ? {} : { subtype: 'file_share', files: files as never }),
    ...(message.edited === undefined ? {} : { edited: { user: message.author.id, ts: message.edited } }),
    ...(message.threadTs === undefined ? {} : { thread_ts: message.threadTs }),
    ...(withMetadata && message.metadata !== undefined ? { metadata: message.metadata } : {}),
  };
}

function authorOf({ author }: StoredMessage): Partial<Listed> {
  if (author === BOT_USER) return { bot_id: BOT_ID, app_id: APP_ID };
  return author.bot ? { bot_id: `B${author.id.slice(1)}`, app_id: `A${author.id.slice(1)}` } : {};
}

/** The message that Slack lists in place of a deleted root. */
function tombstone({ ts }: StoredMessage): Listed {
  return { type: 'message', subtype: 'tombstone', user: 'USLACKBOT', text: 'This message was deleted.', ts };
}
