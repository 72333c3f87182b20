import { z } from 'zod';
import { wireId } from '../schema/scalars.js';

export const attachmentTypes = ['image', 'video', 'audio', 'file', 'location', 'contact', 'sticker'] as const;

export const attachmentRecord = z
  .object({
    id: wireId,
    type: z.enum(attachmentTypes),
    url: z.string().nullable(),
    source_url: z.string().nullable(),
    thumbnail_url: z.string().nullable(),
    state: z.enum(['pending', 'ready', 'failed']),
    metadata: z.record(z.string(), z.unknown()),
    name: z.string().nullable(),
    mime_type: z.string().nullable(),
    alt_text: z.string().nullable(),
    size: z.int().nullable(),
    width: z.int().nullable(),
    height: z.int().nullable(),
    duration_ms: z.int().nullable(),
    latitude: z.number().nullable(),
    longitude: z.number().nullable(),
  })
  .meta({ id: 'Attachment' });

export type AttachmentRecord = z.infer<typeof attachmentRecord>;

export type FileAttachmentType = Exclude<AttachmentRecord['type'], 'location' | 'contact'>;

/** An attachment in the form in which it is stored with its message. The stored copy of its file has the same id. */
export interface StoredAttachment {
  readonly id: string;
  /** Null: derived from the file. */
  readonly type: AttachmentRecord['type'] | null;
  /** The source of its file: a URL, a reference of the adapter that received it, or an upload. */
  readonly source_url?: string;
  readonly remote_ref?: string;
  readonly upload?: true;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly name: string | null;
  readonly mime_type: string | null;
  readonly alt_text: string | null;
  /** As reported by the platform of a received message. */
  readonly size?: number;
  readonly duration_ms?: number;
  readonly latitude: number | null;
  readonly longitude: number | null;
}
