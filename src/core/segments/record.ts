import { z } from 'zod';
import { type ListSpec, recordList } from '../listing/list-spec.js';
import { wireId, wireTime } from '../schema/scalars.js';

/** A named audience in the form of the API, version 1.0. */

export const segmentRecord = z
  .object({
    id: wireId,
    name: z.string(),
    kind: z.enum(['static', 'filter']),
    size: z.int().meta({ description: 'Members now.' }),
    filter: z.string().nullable().meta({ description: 'As on the list of users; null for static.' }),
    metadata: z.record(z.string(), z.unknown()),
    created_at: wireTime,
    updated_at: wireTime,
  })
  .meta({ id: 'Segment' });
export type SegmentRecord = z.infer<typeof segmentRecord>;

export const segmentList: ListSpec = recordList({
  sort: ['name'],
  metadata: true,
  filter: { name: { type: 'string' }, kind: { type: 'enum' } },
});
