import type { ContentAttachment } from '../../../src/contract/index.js';
import { omitUndefined } from '../omit-undefined.js';
import type { FilePayload, MessagePayload } from './update.js';

/**
 * Attachments of a received message. `remoteRef` is the file id, because Telegram's download links contain the token.
 */
export function attachmentsOf(message: MessagePayload): ContentAttachment[] {
  const { photo, live_photo: live, video, animation, video_note, audio, voice, document, sticker } = message;
  const found: ContentAttachment[] = [];
  const add = (type: ContentAttachment['type'], file: FilePayload | undefined, mimeType?: string) => {
    if (file !== undefined) found.push(fileAttachment(type, file, mimeType));
  };
  // Sizes are listed from small to large.
  const picture = photo?.at(-1) ?? live?.photo?.at(-1);
  add('image', picture, 'image/jpeg');
  // A live photo is a picture with a short film, and is repeated as a photo. Other platforms show the picture.
  if (picture === undefined) add('video', live, 'video/mp4');
  add('video', video, 'video/mp4');
  add('video', animation, 'video/mp4');
  add('video', video_note, 'video/mp4');
  add('audio', audio, 'audio/mpeg');
  add('audio', voice, 'audio/ogg');
  // An animation is repeated as a document, for older clients.
  if (animation === undefined) add('file', document);
  if (sticker !== undefined) found.push(stickerAttachment(sticker));
  return [...found, ...placeOf(message), ...contactOf(message)];
}

function fileAttachment(
  type: ContentAttachment['type'],
  file: FilePayload,
  mimeType?: string,
): ContentAttachment {
  return omitUndefined({
    type,
    remoteRef: file.file_id,
    name: file.file_name,
    mimeType: file.mime_type ?? mimeType,
    sizeBytes: file.file_size,
    durationMs: file.duration === undefined ? undefined : file.duration * 1000,
  });
}

/** Formats: https://core.telegram.org/bots/api#sticker. */
function stickerAttachment(sticker: NonNullable<MessagePayload['sticker']>): ContentAttachment {
  const still = sticker.is_animated === true ? 'application/x-tgsticker' : 'image/webp';
  const mimeType = sticker.is_video === true ? 'video/webm' : still;
  return omitUndefined({ ...fileAttachment('sticker', sticker, mimeType), altText: sticker.emoji });
}

function placeOf({ location, venue }: MessagePayload): ContentAttachment[] {
  const point = venue?.location ?? location;
  if (point === undefined) return [];
  const { latitude, longitude } = point;
  const address = venue?.address;
  return [
    omitUndefined({
      type: 'location' as const,
      latitude,
      longitude,
      name: venue?.title,
      metadata: address === undefined || address === '' ? undefined : { address },
    }),
  ];
}

function contactOf({ contact }: MessagePayload): ContentAttachment[] {
  if (contact === undefined) return [];
  const name = [contact.first_name, contact.last_name].filter(Boolean).join(' ');
  return [{ type: 'contact', name, metadata: { name, phone: contact.phone_number } }];
}
