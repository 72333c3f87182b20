import { z } from 'zod';
import { text, uuid } from '../schema/scalars.js';

/** A file of a draft, which may still be on its way to the service. */
const draftFile = z.object({
  name: text(1, 255),
  mime_type: text(0, 127).nullish(),
  size: z.int().min(0),
});
export type DraftFile = z.output<typeof draftFile>;

/** A message that is being written. An empty one is allowed, since nothing is sent. */
export const previewBody = z.object({
  text: text(0, 10_000),
  content_type: z.enum(['text', 'markdown']).default('text'),
  reply_to_id: uuid.nullish(),
  files: z.array(draftFile).max(10).default([]),
});
export type PreviewBody = z.output<typeof previewBody>;
