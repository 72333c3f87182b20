import {
  type AttachmentType,
  type Capabilities,
  type ContentAttachment,
  cardOf,
  type FileAttachment,
  type JsonObject,
  type PartKind,
  placeOf,
  sortAttachments,
} from '../../../src/contract/index.js';

/** Methods that send one file (https://core.telegram.org/bots/api#available-methods). */
export const fileMethods = [
  'sendPhoto',
  'sendAnimation',
  'sendVideo',
  'sendAudio',
  'sendVoice',
  'sendSticker',
  'sendDocument',
] as const;
export type FileMethod = (typeof fileMethods)[number];

/** An attachment that becomes a message of its own. Only files have `file`. */
export interface MediaMessage {
  readonly kind: PartKind;
  readonly payload: JsonObject;
  readonly file?: FileAttachment & { readonly method: FileMethod };
}

/** Limit: https://core.telegram.org/bots/api#sending-files. */
const PHOTO_BYTES = 10 * 1024 * 1024;
const photos = new Set(['image/jpeg', 'image/png', 'image/webp']);
const videos = new Set(['video/mp4']);
const sounds = new Set(['audio/mpeg', 'audio/mp4', 'audio/x-m4a', 'audio/m4a']);
const voices = new Set(['audio/ogg', 'audio/opus']);
const stickers = new Set(['image/webp', 'video/webm', 'application/x-tgsticker']);

/** The method that shows a file best. A file that Telegram would not play or show is sent as a document. */
export function methodFor({ type, mimeType, sizeBytes }: FileAttachment): FileMethod {
  if (type === 'image' && photos.has(mimeType) && sizeBytes <= PHOTO_BYTES) return 'sendPhoto';
  if (type === 'image' && mimeType === 'image/gif') return 'sendAnimation';
  if (type === 'video' && videos.has(mimeType)) return 'sendVideo';
  if (type === 'audio' && sounds.has(mimeType)) return 'sendAudio';
  if (type === 'audio' && voices.has(mimeType)) return 'sendVoice';
  if (type === 'sticker' && stickers.has(mimeType)) return 'sendSticker';
  return 'sendDocument';
}

export interface MediaLayout {
  readonly shown: readonly MediaMessage[];
  /** Attachments that become lines of the text instead. */
  readonly described: readonly ContentAttachment[];
}

/** The attachments that Telegram can show, in order, at most `maxShown` of them. */
export function layOutMedia(
  attachments: readonly ContentAttachment[],
  capabilities: Capabilities,
  maxShown: number,
): MediaLayout {
  const shown: MediaMessage[] = [];
  const described: ContentAttachment[] = [];
  for (const attachment of attachments) {
    const found = shown.length < maxShown ? shownOf(attachment, capabilities) : undefined;
    if (found === undefined) described.push(attachment);
    else shown.push(found);
  }
  return { shown, described };
}

function shownOf(attachment: ContentAttachment, capabilities: Capabilities): MediaMessage | undefined {
  const [file] = sortAttachments([attachment], uploadable(capabilities)).files;
  if (file !== undefined) {
    const method = methodFor(file);
    return { kind: 'media', payload: { file: { ...file }, method }, file: { ...file, method } };
  }
  if (attachment.url !== undefined) return undefined;
  return locationOf(attachment) ?? contactOf(attachment);
}

/** A file that is too large or has another format for its type is sent as a document. */
function uploadable({ media, ...rest }: Capabilities): Capabilities {
  const { file, image = file, video = file, audio = file, sticker = file } = media;
  if (file === undefined) return { media, ...rest };
  const asDocuments = Object.entries({ image, video, audio, sticker }).map(([type, own]) => [
    type,
    { ...own, mime: file.mime, max_bytes: file.max_bytes },
  ]);
  return { ...rest, media: { ...media, ...Object.fromEntries(asDocuments) } };
}

/** Types of files that are sent as documents because Telegram does not show them as their type. */
export const typesSentAsDocuments = (shown: readonly MediaMessage[]): readonly AttachmentType[] =>
  shown.flatMap(({ file }) =>
    file !== undefined && file.method === 'sendDocument' && file.type !== 'file' ? [file.type] : [],
  );

/** A location with a name is a venue, which also requires an address. */
function locationOf(attachment: ContentAttachment): MediaMessage | undefined {
  const place = placeOf(attachment);
  if (place === undefined) return undefined;
  const title = attachment.name?.trim() || undefined;
  const known = attachment.metadata?.address;
  const address = typeof known === 'string' && known.trim() !== '' ? known : coordinates(place);
  return {
    kind: 'location',
    payload: title === undefined ? { ...place } : { ...place, venue: { title, address } },
  };
}

/** Telegram requires a phone number for a contact. */
function contactOf(attachment: ContentAttachment): MediaMessage | undefined {
  const card = cardOf(attachment);
  if (card?.phone === undefined) return undefined;
  return { kind: 'contact', payload: { phone: card.phone, name: card.name } };
}

/** One line of text for an attachment that is not shown. */
export function attachmentLine(attachment: ContentAttachment): string {
  const { type, url, name, altText } = attachment;
  if (url !== undefined) return url;
  const place = placeOf(attachment);
  if (place !== undefined) return [name, coordinates(place)].filter(Boolean).join(': ');
  const card = cardOf(attachment);
  return [card?.name ?? name ?? altText ?? `[${type}]`, card?.phone].filter(Boolean).join(', ');
}

const coordinates = ({ latitude, longitude }: { latitude: number; longitude: number }) =>
  `${latitude}, ${longitude}`;

/** The albums that Telegram accepts: photos with videos, audio with audio, documents with documents. */
const albums: Partial<Record<FileMethod, string>> = {
  sendPhoto: 'seen',
  sendVideo: 'seen',
  sendAudio: 'heard',
  sendDocument: 'kept',
};

/** https://core.telegram.org/bots/api#sendmediagroup */
const MAX_ALBUM_FILES = 10;
/**
 * Total size of the files in one request. #sending-files does not say that its 50 MB apply to each file, and the rest
 * of the request counts too.
 */
const REQUEST_BYTES = 48 * 1024 * 1024;

/** Groups neighbours that can share an album. Every other attachment forms a group of its own. */
export function groupIntoAlbums(
  shown: readonly MediaMessage[],
): readonly (readonly [MediaMessage, ...MediaMessage[]])[] {
  const groups: [MediaMessage, ...MediaMessage[]][] = [];
  for (const next of shown) {
    const last = groups.at(-1);
    if (last !== undefined && joins(next, last)) last.push(next);
    else groups.push([next]);
  }
  return groups;
}

function joins(next: MediaMessage, group: readonly [MediaMessage, ...MediaMessage[]]): boolean {
  const album = albumOf(next);
  if (album === undefined || albumOf(group[0]) !== album || group.length >= MAX_ALBUM_FILES) return false;
  return [...group, next].reduce((sum, { file }) => sum + (file?.sizeBytes ?? 0), 0) <= REQUEST_BYTES;
}

const albumOf = ({ file }: MediaMessage) => (file === undefined ? undefined : albums[file.method]);
