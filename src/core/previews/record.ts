import { z } from 'zod';
import { wireId } from '../schema/scalars.js';

/** The preview of a draft in each linked chat. */
export const draftPreviewRecord = z.object({
  conversation_id: wireId,
  links: z.array(
    z.object({
      link_id: wireId,
      connection_id: wireId,
      platform: z.string(),
      title: z.string().nullable(),
      parts: z.int().meta({ description: 'Messages on the platform.' }),
      billed: z
        .object({ unit: z.string(), count: z.int() })
        .nullable()
        .meta({ description: 'What the platform bills for the text.' }),
      outside_gsm7: z.array(z.string()).meta({
        description:
          'Up to 10 characters that GSM-7 lacks, where the platform counts in it. The text is sent as UCS-2.',
      }),
      degradations: z.array(z.string()),
      refusal: z
        .object({ code: z.string(), message: z.string() })
        .nullable()
        .meta({ description: 'Why the platform would not get the message.' }),
      is_planned: z.boolean().meta({
        description:
          'false: the connection is not live in this process; the figures follow from the definition.',
      }),
    }),
  ),
});
export type DraftPreviewRecord = z.infer<typeof draftPreviewRecord>;
export type LinkPreview = DraftPreviewRecord['links'][number];
