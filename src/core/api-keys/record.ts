import { z } from 'zod';
import { type ListSpec, recordList } from '../listing/list-spec.js';
import { wireId, wireTime } from '../schema/scalars.js';

/** A key as the dashboard shows it. */
export const apiKeyRecord = z
  .object({
    id: wireId,
    name: z.string(),
    environment: z.enum(['live', 'test']),
    scopes: z.array(z.string()),
    rate_limit: z.int().meta({ description: 'Requests per hour; 0 means unlimited.' }),
    ip_allowlist: z.array(z.string()),
    user_id: wireId,
    conversation_ids: z.array(wireId).optional().meta({
      description: 'The grant. Absent: the key sees what its user sees.',
    }),
    hint: z.string().meta({ description: 'The last four characters.' }),
    expires_at: wireTime.nullable(),
    last_used_at: wireTime.nullable(),
    revoked_at: wireTime.nullable(),
    key: z.string().optional().meta({ description: 'Only in the answer that creates it.' }),
    created_at: wireTime,
    updated_at: wireTime,
  })
  .meta({ id: 'ApiKey' });
export type ApiKeyShown = z.infer<typeof apiKeyRecord>;

/** The number of requests that a key has used of its hourly limit. */
export const keyUsageRecord = z
  .object({
    id: wireId,
    requests_this_hour: z.int().meta({ description: 'Since the beginning of the hour in UTC.' }),
  })
  .meta({ id: 'KeyUsage' });
export type KeyUsage = z.infer<typeof keyUsageRecord>;

export const apiKeyList: ListSpec = recordList({});
