import type { Capabilities, Level, MediaCapability } from './capabilities.js';
import type { ContentAttachment } from './content.js';
import { textLength } from './text/index.js';

/** An attachment whose stored copy is uploaded as a file. It is JSON, so that the payload of a step can contain it. */
export interface FileAttachment {
  readonly ref: string;
  readonly type: ContentAttachment['type'];
  readonly sizeBytes: number;
  readonly mimeType: string;
  /** The file name in the message, instead of the name of the stored copy. */
  readonly name?: string;
  readonly altText?: string;
}

/**
 * Separates the attachments of a message into those that can be uploaded and all others. A file can be uploaded if the
 * level of its type is `native` and it has at most `max_bytes`. At most `maxFiles` are uploaded. The text of the message
 * describes the others: locations, contact cards, and files as links.
 */
export function sortAttachments(
  attachments: readonly ContentAttachment[],
  { media }: Capabilities,
  maxFiles = Number.POSITIVE_INFINITY,
): { readonly files: readonly FileAttachment[]; readonly described: readonly ContentAttachment[] } {
  const files: FileAttachment[] = [];
  const described: ContentAttachment[] = [];
  for (const attachment of attachments) {
    const file = fileOf(attachment);
    if (file !== undefined && files.length < maxFiles && takes(media[attachment.type], file))
      files.push(file);
    else described.push(attachment);
  }
  return { files, described };
}

/** Whether a text fits in the caption of a file of this type. */
export function captionFits(
  text: string,
  type: ContentAttachment['type'],
  { media, text: { unit } }: Capabilities,
): boolean {
  const capability = media[type];
  return (
    capability !== undefined && textLength(text, unit) <= (capability.caption_max ?? Number.POSITIVE_INFINITY)
  );
}

function fileOf({
  mediaRef,
  type,
  sizeBytes,
  mimeType,
  name,
  altText,
}: ContentAttachment): FileAttachment | undefined {
  if (mediaRef === undefined || sizeBytes === undefined) return undefined;
  return {
    ref: mediaRef,
    type,
    sizeBytes,
    mimeType: mimeType ?? 'application/octet-stream',
    ...(name ? { name } : {}),
    ...(altText ? { altText } : {}),
  };
}

function takes(capability: MediaCapability | undefined, { sizeBytes, mimeType }: FileAttachment): boolean {
  if (capability === undefined || sizeBytes > (capability.max_bytes ?? Number.POSITIVE_INFINITY))
    return false;
  return levelOf(capability, mimeType) === 'native';
}

function levelOf({ mime }: MediaCapability, mimeType: string): Level | undefined {
  return mime[mimeType] ?? mime[`${mimeType.split('/', 1)[0]}/*`] ?? mime['*/*'];
}
