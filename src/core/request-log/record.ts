import { z } from 'zod';
import type { ListSpec } from '../listing/list-spec.js';
import { wireId, wireTime } from '../schema/scalars.js';

/** A completed request of a program, for the dashboard. */
export const loggedRequest = z
  .object({
    id: wireId,
    method: z.string(),
    path: z.string().meta({ description: 'As sent, without query. Segments longer than an id are cut.' }),
    status: z.int(),
    duration_ms: z.int(),
    environment: z.enum(['live', 'test']),
    credential: z.object({
      kind: z.enum(['api_key', 'oauth_app']),
      id: wireId,
      name: z.string().nullable().meta({ description: 'The name at the time of the request.' }),
    }),
    request_id: z.string(),
    created_at: wireTime,
  })
  .meta({ id: 'LoggedRequest' });
export type LoggedRequest = z.infer<typeof loggedRequest>;

export const requestList: ListSpec = {
  sort: ['created_at'],
  filter: {
    id: { type: 'uuid' },
    created_at: { type: 'timestamp' },
    method: { type: 'enum' },
    status: { type: 'int' },
    environment: { type: 'enum' },
    credential_id: { type: 'uuid' },
    request_id: { type: 'string' },
  },
};
