import { z } from 'zod';
import { clock } from '../../contract/clock.js';
import { isCidr } from '../access/client-address.js';
import { apiKeyScopes } from '../access/scopes.js';
import { text, timestamp, uuid } from '../schema/scalars.js';

const MAX_ADDRESSES = 100;
/** Maximum number of conversations in a grant. The table has the same limit. */
const MAX_GRANTED = 500;
const HIGHEST_RATE_LIMIT = 1_000_000;

const addresses = z
  .array(
    z.string().refine((value) => value.length <= 64 && isCidr(value), {
      error: 'must be a network such as 192.0.2.0/24, or an address',
      params: { code: 'invalid_format' },
    }),
  )
  .max(MAX_ADDRESSES)
  .transform(distinct);

const scopes = z.array(z.enum(apiKeyScopes)).max(apiKeyScopes.length).transform(distinct);

const grant = z.array(uuid).min(1).max(MAX_GRANTED).transform(distinct);

const future = timestamp.refine((value) => Date.parse(value) > clock.now(), {
  error: 'must be in the future',
  params: { code: 'invalid_value' },
});

/** The body of POST keys. */
export const createApiKeyBody = z.object({
  name: text(1, 256),
  environment: z.enum(['live', 'test']).default('live'),
  scopes: scopes.default([]),
  rate_limit: z.int().min(0).max(HIGHEST_RATE_LIMIT).default(100),
  ip_allowlist: addresses.default([]),
  user_id: uuid.optional(),
  conversation_ids: grant.optional(),
  expires_at: future.nullish(),
});
export type CreateApiKeyBody = z.output<typeof createApiKeyBody>;

/** The body of PATCH keys. */
export const changeApiKeyBody = z.object({
  name: text(1, 256).optional(),
  ip_allowlist: addresses.optional(),
  /** `null` removes the grant. */
  conversation_ids: grant.nullable().optional(),
});
export type ChangeApiKeyBody = z.output<typeof changeApiKeyBody>;

function distinct<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
