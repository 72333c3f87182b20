import { z } from 'zod';
import { attachmentInput } from '../media/attachment-input.js';
import { refuseBlank } from '../messages/bodies.js';
import { metadata, text } from '../schema/scalars.js';

/** Request bodies of templates. */

const fields = {
  name: text(1, 256),
  text: text(0, 10_000),
  content_type: z.enum(['text', 'markdown']),
  attachments: z.array(attachmentInput).max(10),
  metadata,
};

/** The body of POST templates. */
export const createTemplateBody = z
  .object({
    ...fields,
    content_type: fields.content_type.default('text'),
    attachments: fields.attachments.default([]),
    metadata: fields.metadata.default({}),
  })
  .superRefine(refuseBlank);
export type CreateTemplateBody = z.output<typeof createTemplateBody>;

/** The body of PATCH templates. */
export const changeTemplateBody = z
  .object(fields)
  .partial()
  .superRefine((value, context) => {
    // If the change has no attachments, the stored template decides whether an empty text is allowed.
    if (value.text !== undefined && (value.text !== '' || value.attachments !== undefined)) {
      refuseBlank({ text: value.text, attachments: value.attachments ?? [] }, context);
    }
  });
export type ChangeTemplateBody = z.output<typeof changeTemplateBody>;
