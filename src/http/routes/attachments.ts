import { attachmentRecord } from '../../core/media/attachment.js';
import type { MediaFiles } from '../../core/media/ports.js';
import { ATTACHMENT_BYTES, type UploadFile, uploadFields } from '../../core/media/upload-file.js';
import { type Route, route } from '../route.js';

export interface AttachmentUseCases {
  readonly upload: UploadFile;
  readonly files: MediaFiles;
}

export function attachmentRoutes({ upload, files }: AttachmentUseCases): Route[] {
  return [
    route({
      method: 'POST',
      path: '/openapi/attachments',
      summary: 'Upload a file; its id is an upload_id for 24 hours',
      tag: 'Messages',
      scopes: ['messages:write'],
      oauth: 'messages.write',
      upload: {
        streamed: {
          part: 'file',
          maxBytes: ATTACHMENT_BYTES,
          stage: (source, maxBytes) => files.stage(source, maxBytes),
          discard: (file) => files.discard(file),
        },
      },
      body: uploadFields,
      success: 201,
      response: attachmentRecord,
      handler: async ({ caller, body, file, resourceId }) => {
        if (file === undefined) throw new Error('The checks let a form without file pass.');
        return upload.execute(caller, file, body, resourceId);
      },
    }),
  ];
}
