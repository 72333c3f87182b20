import { z } from 'zod';
import { text, uuid } from '../schema/scalars.js';

/** A file of a draft. Its upload may still be in progress. */
const draftFile = z.object({
  name: text(1, 255),
  mime_type: text(0, 127).nullish(),
  size: z.int().min(0),
});
export type DraftFile = z.output<typeof draftFile>;

/** A draft. It may be empty, because nothing is sent. */
export const previewBody = z.object({
  text: text(0, 10_000),
  content_type: z.enum(['text', 'markdown']).default('text'),
  reply_to_id: uuid.nullish(),
  files: z.array(draftFile).max(10).default([]),
});
export type PreviewBody = z.output<typeof previewBody>;
