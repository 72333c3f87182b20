import { z } from 'zod';
import { text, uuid, wireId, wireTime } from '../schema/scalars.js';

const MAX_TEXT = 10_000;

/** An unsent text of a member in a conversation. An empty draft counts as no draft. */
export const saveDraftBody = z.object({
  text: text(0, MAX_TEXT),
  is_note: z.boolean(),
  reply_to_id: uuid.nullable(),
  /** The browser that wrote the draft. Its drafts replace each other. */
  device: uuid,
  /** The version that this browser knows. If the stored version differs, another browser wrote it. */
  base: uuid.nullable(),
});
export type SaveDraftBody = z.output<typeof saveDraftBody>;

export const draftRecord = z
  .object({
    version: wireId,
    text: z.string(),
    is_note: z.boolean(),
    reply_to_id: wireId.nullable(),
    written_at: wireTime,
  })
  .nullable();
export type DraftRecord = z.infer<typeof draftRecord>;

export const savedDraftRecord = z.object({ is_saved: z.boolean(), draft: draftRecord });
export type SavedDraftRecord = z.infer<typeof savedDraftRecord>;
