import { z } from 'zod';
import { type ListSpec, recordList } from '../listing/list-spec.js';
import { attachmentRecord } from '../media/attachment.js';
import { wireId, wireTime } from '../schema/scalars.js';

/** A named text in the form of the API, version 1.0. */

export const templateRecord = z
  .object({
    id: wireId,
    name: z.string(),
    text: z.string(),
    content_type: z.enum(['text', 'markdown']),
    attachments: z.array(attachmentRecord),
    variables: z.array(z.string()).meta({ description: 'The names in {{ }} of the text, in order.' }),
    metadata: z.record(z.string(), z.unknown()),
    created_at: wireTime,
    updated_at: wireTime,
  })
  .meta({ id: 'Template' });
export type TemplateRecord = z.infer<typeof templateRecord>;

export const templateList: ListSpec = recordList({
  sort: ['name'],
  metadata: true,
  filter: { name: { type: 'string' } },
});
