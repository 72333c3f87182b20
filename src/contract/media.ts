import type { Capabilities, Level, MediaCapability } from './capabilities.js';
import type { ContentAttachment } from './content.js';
import { textLength } from './text/index.js';

/** An attachment whose stored copy a platform takes as a file; JSON, so that it can stand in the payload of a step. */
export interface FileAttachment {
  readonly ref: string;
  readonly type: ContentAttachment['type'];
  readonly sizeBytes: number;
  readonly mimeType: string;
  /** What its message calls it, in place of the name of the stored copy. */
  readonly name?: string;
  readonly altText?: string;
}

/**
 * What of a message's attachments can be uploaded, by the capability table: a file of a type that is `native` and not
 * above `max_bytes`, but at most `most` of them. `described` holds all others, which the text lists: places, contact cards, and files
 * of which only the link can be given.
 */
export function sortAttachments(
  attachments: readonly ContentAttachment[],
  { media }: Capabilities,
  most = Number.POSITIVE_INFINITY,
): { readonly files: readonly FileAttachment[]; readonly described: readonly ContentAttachment[] } {
  const files: FileAttachment[] = [];
  const described: ContentAttachment[] = [];
  for (const attachment of attachments) {
    const file = fileOf(attachment);
    if (file !== undefined && files.length < most && takes(media[attachment.type], file)) files.push(file);
    else described.push(attachment);
  }
  return { files, described };
}

/** Whether a text can stand under a file of this type, where the file itself shows it. */
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
