import { openAsBlob } from 'node:fs';
import { type MediaFile, PlatformError } from '../contract/index.js';
import { fileName } from '../core/media/file-type.js';
import type { OpenedMedia } from '../core/media/open-media.js';

/** Reads a stored copy for an adapter. Raises `media_unavailable` if there is none. */
export async function mediaFile(media: OpenedMedia | undefined): Promise<MediaFile> {
  if (media === undefined) {
    throw new PlatformError(
      { kind: 'rejected', reason: 'media_unavailable' },
      { dispatched: 'no', message: 'The stored copy of an attachment is gone.' },
    );
  }
  const mimeType = media.mimeType ?? 'application/octet-stream';
  const blob = await openAsBlob(media.path, { type: mimeType });
  const name = fileName(media.name) ?? `file.${extensionOf(mimeType)}`;
  return { name, mimeType, sizeBytes: media.sizeBytes, blob };
}

/** The extension for the file name. Platforms detect the type of a file by its name. */
function extensionOf(mimeType: string): string {
  const [kind, subtype = ''] = mimeType.split('/');
  if (subtype === 'jpeg') return 'jpg';
  if (subtype === 'mpeg' && kind === 'audio') return 'mp3';
  if (subtype === 'quicktime') return 'mov';
  if (subtype === 'plain') return 'txt';
  return /^[a-z0-9]{2,5}$/.test(subtype) ? subtype : 'bin';
}
