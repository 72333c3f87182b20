import { z } from 'zod';
import type { Caller } from '../access/caller.js';
import { type FieldCode, invalidField } from '../common/errors.js';
import { text } from '../schema/scalars.js';
import type { AttachmentRecord, FileAttachmentType } from './attachment.js';
import { canBe, defaultType, essence, fileName, isLike, storedType } from './file-type.js';
import type { MediaFiles, MediaStore, StagedFile } from './ports.js';

/** Maximum size of an attachment. */
export const ATTACHMENT_BYTES = 25 * 1_048_576;

const fileTypes = [
  'image',
  'video',
  'audio',
  'file',
  'sticker',
] as const satisfies readonly FileAttachmentType[];

/** The fields of an upload without its file. */
export const uploadFields = z.object({
  name: text(1, 255).optional(),
  alt_text: text(0, 1000).optional(),
  type: z.enum(fileTypes).optional(),
});
export type UploadFields = z.output<typeof uploadFields>;

/** A file in a request. */
export interface SentFile extends StagedFile {
  readonly name: string | undefined;
  /** As declared by the client. */
  readonly mimeType: string | undefined;
}

/** Stores a file for later messages. */
export class UploadFile {
  constructor(
    private readonly store: MediaStore,
    private readonly files: MediaFiles,
  ) {}

  /** Raises `invalid_request` if the content does not match its type. When this resolves, file and row are committed. */
  async execute(caller: Caller, file: SentFile, fields: UploadFields, id: string): Promise<AttachmentRecord> {
    if (file.sizeBytes === 0) refuse('file', 'too_small', 'Expected a file with content.');
    const facts = await this.files.inspect(file);
    const declared = essence(file.mimeType);
    if (!isLike(declared, facts)) {
      refuse('file', 'invalid_value', `The content does not match the declared type ${declared}.`);
    }
    const mimeType = storedType(declared, facts);
    const type = fields.type ?? defaultType(mimeType);
    if (!canBe(type, mimeType))
      refuse('type', 'invalid_value', `A file of type ${mimeType} can't be sent as ${type}.`);
    await this.files.keep(file, id);
    return this.store.storeUpload({
      id,
      workspace_id: caller.workspaceId,
      uploaded_by: caller.restriction?.readerId ?? caller.userId,
      type,
      name: fields.name ?? fileName(file.name) ?? null,
      mime_type: mimeType,
      alt_text: fields.alt_text ?? null,
      size: file.sizeBytes,
      width: facts.width,
      height: facts.height,
      sha256: file.sha256,
    });
  }
}

function refuse(field: string, code: FieldCode, message: string): never {
  throw invalidField(field, code, message);
}
