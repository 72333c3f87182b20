import { z } from 'zod';
import { metadata, text, uuid } from '../schema/scalars.js';

/** Request bodies of segments. */

const MAX_INLINE = 10_000;

export const segmentName = text(1, 256);
const filter = text(1, 1_024).nullish();
const userIds = z.array(uuid).max(MAX_INLINE);

/** The body of POST segments: the users, or a filter that finds them. */
export const createSegmentBody = z
  .object({
    name: segmentName,
    filter,
    user_ids: userIds.optional(),
    metadata: metadata.default({}),
  })
  .superRefine((value, context) => {
    const sources = Number(value.filter != null) + Number(value.user_ids !== undefined);
    if (sources === 1) return;
    context.addIssue({
      code: 'custom',
      path: [sources === 0 ? 'user_ids' : 'filter'],
      message: sources === 0 ? 'user_ids or filter is required' : 'either filter or user_ids, not both',
      params: { code: sources === 0 ? 'required' : 'exclusive' },
    });
  });
export type CreateSegmentBody = z.output<typeof createSegmentBody>;

/** The body of PATCH segments. */
export const changeSegmentBody = z
  .object({
    name: segmentName.optional(),
    filter,
    user_ids: userIds.optional(),
    metadata: metadata.optional(),
  })
  .superRefine((value, context) => {
    if (value.filter == null || value.user_ids === undefined) return;
    const message = 'either filter or user_ids, not both';
    context.addIssue({ code: 'custom', path: ['filter'], message, params: { code: 'exclusive' } });
  });
export type ChangeSegmentBody = z.output<typeof changeSegmentBody>;
