import type { ConversationsHistoryResponse } from '@slack/web-api';
import { APP_ID, BOT_ID, BOT_USER, type StoredMessage } from './workspace.js';

export type Arguments = Readonly<Record<string, string>>;

interface Failure {
  readonly ok: false;
  readonly error: string;
  readonly needed?: string;
}
export type Answer<T> = (T & { ok: true; writes?: never }) | Failure;

/** An answer whose fields are checked by the clients that read it. */
export type OpenAnswer = Answer<Readonly<Record<string, unknown>>>;

export function failed(error: string): Failure {
  return { ok: false, error };
}

type Listed = NonNullable<ConversationsHistoryResponse['messages']>[number] & { metadata?: object };

/** A message as the history shows it. */
export function listed(message: StoredMessage, withMetadata: boolean): Listed {
  const files = [...(message.files ?? [])].map(([id, { name, mimeType, bytes }]) => {
    return { id, name, mimetype: mimeType, size: bytes.length };
  });
  return {
    type: 'message',
    user: message.author.id,
    ts: message.ts,
    text: message.text,
    ...(message.author === BOT_USER ? { bot_id: BOT_ID, app_id: APP_ID } : {}),
    ...(message.persona === undefined ? {} : { username: message.persona.username }),
    ...(message.blocks === undefined ? {} : { blocks: message.blocks as never }),
    ...(message.attachments === undefined ? {} : { attachments: message.attachments as never }),
    ...(files.length === 0 ? {} : { files: files as never }),
    ...(message.threadTs === undefined ? {} : { thread_ts: message.threadTs }),
    ...(withMetadata && message.metadata !== undefined ? { metadata: message.metadata } : {}),
  };
}
