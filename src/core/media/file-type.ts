import type { FileAttachmentType } from './attachment.js';
import type { FileFacts } from './ports.js';

/** Types and names of files, and checks of the declared type. */

export const UNKNOWN_TYPE = 'application/octet-stream';

const ALIASES: Readonly<Record<string, string>> = {
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'image/x-png': 'image/png',
  'image/vnd.microsoft.icon': 'image/x-icon',
  'audio/mp3': 'audio/mpeg',
  'audio/x-wav': 'audio/wav',
  'audio/wave': 'audio/wav',
  'audio/vnd.wave': 'audio/wav',
  'audio/x-m4a': 'audio/mp4',
  'audio/m4a': 'audio/mp4',
  'audio/vnd.dolby.dd-raw': 'audio/ac3',
  'video/x-m4v': 'video/mp4',
  'text/x-vcard': 'text/vcard',
  'application/rtf': 'text/rtf',
  'application/x-gzip': 'application/gzip',
  'application/x-zip-compressed': 'application/zip',
  'application/x-pdf': 'application/pdf',
};

/** Types whose files always begin with a signature. */
const SIGNED = new Set([
  'application/pdf',
  'application/zip',
  'application/gzip',
  'application/x-7z-compressed',
]);
const SIGNED_KINDS = ['image', 'video', 'audio'];
/** Image types with text content. */
const TEXT_IMAGES = new Set(['image/svg+xml']);

/** A MIME type without parameters, in lower case, under its usual name. Undefined if it is not valid. */
export function essence(mimeType: string | null | undefined): string | undefined {
  const [bare = ''] = (mimeType ?? '').split(';');
  const type = bare.trim().toLowerCase();
  if (!/^[a-z0-9][a-z0-9!#$&^_.+-]{0,62}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,62}$/.test(type)) return undefined;
  return ALIASES[type] ?? type;
}

/**
 * The type under which a file is stored: the type of its content, or else the declared type. The content of a container does not
 * show whether it holds only sound, so a file that was declared as sound stays sound.
 */
export function storedType(declared: string | undefined, facts: FileFacts): string {
  const found = essence(facts.mimeType);
  const said = declared === UNKNOWN_TYPE ? undefined : declared;
  if (found === undefined || isContainerOf(found, said))
    return said ?? (facts.isText ? 'text/plain' : UNKNOWN_TYPE);
  return said !== undefined && found === said.replace(/^audio\//, 'video/') ? said : found;
}

/** Whether the content can have the declared type. */
export function isLike(declared: string | undefined, facts: FileFacts): boolean {
  if (declared === undefined || declared === UNKNOWN_TYPE) return true;
  const found = essence(facts.mimeType);
  const kind = kindOf(declared);
  if (found === undefined) {
    if (kind === 'text' || TEXT_IMAGES.has(declared)) return facts.isText;
    return !SIGNED_KINDS.includes(kind) && !SIGNED.has(declared);
  }
  if (found === declared || isContainerOf(found, declared)) return true;
  if (kind === 'image') return false;
  // One container format holds audio or video.
  if (kind === 'video' || kind === 'audio')
    return ['video', 'audio'].includes(kindOf(found)) || found === 'application/ogg';
  if (kind === 'text') return facts.isText;
  return !SIGNED.has(declared) && !SIGNED_KINDS.includes(kindOf(found));
}

/** Whether a file of this MIME type can be sent as `type`. */
export function canBe(type: FileAttachmentType, mimeType: string): boolean {
  const kind = kindOf(mimeType);
  switch (type) {
    case 'file':
      return true;
    case 'sticker':
      return kind === 'image' || kind === 'video' || mimeType === 'application/x-tgsticker';
    case 'audio':
      return (
        kind === 'audio' ||
        mimeType === 'application/ogg' ||
        mimeType === 'video/webm' ||
        mimeType === 'video/mp4'
      );
    default:
      return kind === type;
  }
}

/** The default type of an attachment. */
export function defaultType(mimeType: string): FileAttachmentType {
  const kind = kindOf(mimeType);
  return kind === 'image' || kind === 'video' || kind === 'audio' ? kind : 'file';
}

/**
 * A safe file name: the last part of the path, without control characters, at most 255 code points. Undefined if nothing is left.
 */
export function fileName(given: string | null | undefined): string | undefined {
  const [last = ''] = (given ?? '').toWellFormed().split(/[/\\]/).slice(-1);
  const clean = last.replace(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, '').trim();
  return [...clean].slice(0, 255).join('') || undefined;
}

function kindOf(mimeType: string): string {
  return mimeType.split('/', 1)[0] ?? '';
}

/** Whether the detected type is only the archive or markup format in which the declared type is stored. */
function isContainerOf(found: string, declared: string | undefined): boolean {
  if (declared === undefined || SIGNED_KINDS.includes(kindOf(declared))) {
    return found === 'application/xml' && declared !== undefined && TEXT_IMAGES.has(declared);
  }
  if (found === 'application/zip' || found === 'application/gzip' || found === 'application/x-cfb')
    return kindOf(declared) === 'application' && !SIGNED.has(declared);
  if (found === 'application/xml') return /[/+]xml$|html/.test(declared) || kindOf(declared) === 'text';
  return false;
}
