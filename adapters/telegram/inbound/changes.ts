import { remoteChatId, remoteMessageId } from '../../../src/contract/index.js';
import type { MessagePayload } from './update.js';

/** Telegram counts time in seconds; its updates are numbered. */
export function changeIn(update: object) {
  const { update_id: place } = update as { readonly update_id?: unknown };
  return Number.isSafeInteger(place) && Number(place) >= 0 ? { sequence: Number(place) } : {};
}

/** Telegram itself sends changes and decides who may cause them. */
export const byTelegram = { authority: 'platform' } as const;

/** Telegram itself repeats the posts of a channel in its discussion group. */
export function channelPostOf({ is_automatic_forward, forward_origin: origin }: MessagePayload) {
  if (is_automatic_forward !== true || origin?.type !== 'channel') return undefined;
  return { chatId: remoteChatId(origin.chat.id), messageId: remoteMessageId(origin.message_id) };
}
