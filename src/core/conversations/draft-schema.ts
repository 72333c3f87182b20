import { z } from 'zod';
import { text, uuid, wireId, wireTime } from '../schema/scalars.js';

const MAX_TEXT = 10_000;

/** What a member has written in a conversation and not sent. An empty draft is none. */
export const saveDraftBody = z.object({
  text: text(0, MAX_TEXT),
  is_note: z.boolean(),
  reply_to_id: uuid.nullable(),
  /** The browser that wrote it. Its drafts replace each other. */
  device: uuid,
  /** The version that this browser knows. Another one in the store was written elsewhere. */
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
