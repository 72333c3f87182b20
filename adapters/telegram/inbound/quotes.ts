import { describedText } from './described-content.js';
import { type FormattedText, formattedText, linkedText, plainText, quotedText } from './formatted-text.js';
import { chatName, originName, publicLink, storyText } from './origins.js';
import type { ExternalReplyPayload, MessagePayload } from './update.js';

/**
 * The quote above the text of a message: a message of another chat, a story, or a quoted part of a message in this
 * chat. The reply reference already names the message in this chat, so that quote has no author.
 */
export function quoteAbove(message: MessagePayload): FormattedText {
  const { external_reply: external, quote, reply_to_story: story } = message;
  const part = quote === undefined ? undefined : formattedText(quote.text, quote.entities);
  if (external !== undefined) return quotedText(originName(external.origin), part ?? externalPiece(external));
  if (story !== undefined) return quotedText(chatName(story.chat), storyText(story));
  return part === undefined ? plainText('') : quotedText(undefined, part);
}

/**
 * Quotes the author of a forwarded message. A channel post in its discussion group counts as written by the channel
 * itself.
 */
export function forwarded(message: MessagePayload, words: FormattedText): FormattedText {
  const { forward_origin: origin, is_automatic_forward } = message;
  if (origin === undefined || is_automatic_forward === true) return words;
  return quotedText(originName(origin), words);
}

/** Telegram omits the text of a message of another chat, except for the quoted part. */
function externalPiece(external: ExternalReplyPayload): FormattedText {
  const described = describedText(external);
  if (described.text !== '') return described;
  const kind = fileKinds.find((name) => external[name] !== undefined) ?? 'message';
  const { chat, message_id: id } = external;
  const url = chat === undefined || id === undefined ? undefined : publicLink(chat, String(id));
  return linkedText(`[${kind.replace('_', ' ')}]`, url);
}

const fileKinds = [
  'animation',
  'audio',
  'document',
  'live_photo',
  'photo',
  'sticker',
  'video',
  'video_note',
  'voice',
  'contact',
  'venue',
  'location',
] as const;
