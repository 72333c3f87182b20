import { newId } from '../common/new-id.js';
import type { AttachmentRecord } from '../media/attachment.js';
import { defaultType, essence, UNKNOWN_TYPE } from '../media/file-type.js';
import type { DraftFile } from './bodies.js';

/** As long as the token in the URL of a stored file. */
const TOKEN = 'A'.repeat(32);

/** The attachments of a draft's message, as if its files were stored. */
export function draftAttachments(files: readonly DraftFile[], publicUrl: string): AttachmentRecord[] {
  return files.map(({ name, mime_type, size }) => {
    const mimeType = essence(mime_type) ?? UNKNOWN_TYPE;
    return {
      id: newId(),
      type: defaultType(mimeType),
      url: `${publicUrl}/media/${TOKEN}`,
      source_url: null,
      thumbnail_url: null,
      state: 'ready',
      metadata: {},
      name,
      mime_type: mimeType,
      alt_text: null,
      size,
      width: null,
      height: null,
      duration_ms: null,
      latitude: null,
      longitude: null,
    };
  });
}
