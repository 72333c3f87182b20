import { z } from 'zod';
import { type ListSpec, recordList } from '../listing/list-spec.js';
import { wireId, wireTime } from '../schema/scalars.js';

/** Members who work on the same conversations. A conversation names its team. */
export const teamRecord = z
  .object({
    id: wireId,
    name: z.string(),
    member_ids: z.array(wireId),
    created_at: wireTime,
    updated_at: wireTime,
  })
  .meta({ id: 'Team' });
export type TeamRecord = z.infer<typeof teamRecord>;

export const teamList: ListSpec = recordList({ sort: ['name'], filter: { name: { type: 'string' } } });
