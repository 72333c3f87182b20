import { z } from 'zod';
import type { ListSpec } from '../../listing/list-spec.js';
import { wireTime } from '../../schema/scalars.js';

/** The television guide in the form of the API, version 1.0. */

export const tvNetworkRecord = z
  .object({
    id: z.string().meta({ description: "The source's own id." }),
    name: z.string(),
    languages: z.array(z.string()),
    country: z.string().nullable(),
    icon_url: z.string().nullable(),
  })
  .meta({ id: 'TvNetwork' });
export type TvNetworkRecord = z.infer<typeof tvNetworkRecord>;

export const tvNetworkList: ListSpec = {
  sort: ['name'],
  filter: { id: { type: 'string' }, country: { type: 'string', nullable: true } },
};

export const tvProgrammeRecord = z
  .object({
    id: z.string(),
    network_id: z.string(),
    title: z.string(),
    start_at: wireTime,
    end_at: wireTime,
    categories: z.array(z.string()),
    description: z.string().nullable(),
    icon_url: z.string().nullable(),
  })
  .meta({ id: 'TvProgramme' });
export type TvProgrammeRecord = z.infer<typeof tvProgrammeRecord>;

export const tvProgrammeList: ListSpec = {
  sort: ['start_at'],
  filter: {
    title: { type: 'string' },
    category: { type: 'array' },
    start_at: { type: 'timestamp' },
  },
};
