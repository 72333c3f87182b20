import { describedPiece } from './described.js';
import { chatName, originName, publicLink, storyPiece } from './origins.js';
import { linkedPiece, type Piece, piece, plainPiece, quoted } from './pieces.js';
import type { ExternalReplyPayload, MessagePayload } from './update.js';

/**
 * What a message shows above its words: the message of another chat or the story that it answers, or the part of a message in
 * this chat that it quotes. The reply itself names the message in this chat, so that quote needs no name.
 */
export function quoteAbove(message: MessagePayload): Piece {
  const { external_reply: external, quote, reply_to_story: story } = message;
  const part = quote === undefined ? undefined : piece(quote.text, quote.entities);
  if (external !== undefined) return quoted(originName(external.origin), part ?? externalPiece(external));
  if (story !== undefined) return quoted(chatName(story.chat), storyPiece(story));
  return part === undefined ? plainPiece('') : quoted(undefined, part);
}

/** A forwarded message is a quote of its author. A channel's post in its discussion group comes from the channel itself. */
export function forwarded(message: MessagePayload, words: Piece): Piece {
  const { forward_origin: origin, is_automatic_forward } = message;
  if (origin === undefined || is_automatic_forward === true) return words;
  return quoted(originName(origin), words);
}

/** A message of another chat comes without its text, unless a part of it is quoted. */
function externalPiece(external: ExternalReplyPayload): Piece {
  const described = describedPiece(external);
  if (described.text !== '') return described;
  const kind = fileKinds.find((name) => external[name] !== undefined) ?? 'message';
  const { chat, message_id: id } = external;
  const url = chat === undefined || id === undefined ? undefined : publicLink(chat, String(id));
  return linkedPiece(`[${kind.replace('_', ' ')}]`, url);
}

const fileKinds = [
  'animation',
  'audio',
  'document',
  'photo',
  'sticker',
  'video',
  'video_note',
  'voice',
  'contact',
  'venue',
  'location',
] as const;
