import { z } from 'zod';
import type { ListSpec } from '../listing/list-spec.js';
import { wireId, wireTime } from '../schema/scalars.js';

const hash = z.string().regex(/^[0-9a-f]{64}$/);

/** The position of a row in the chain of its workspace. */
const auditPosition = z.object({
  workspace_id: wireId,
  number: z.int().min(1),
  previous_hash: hash.meta({ description: 'Hash of the row before it; zeros for the first row.' }),
  hash: hash.meta({ description: 'SHA-256 of the row, its number and `previous_hash`.' }),
});
export type AuditPosition = z.infer<typeof auditPosition>;

/** A change that was made by a member in the dashboard, by a client with an API key, or by the system. */
export const auditRecord = z
  .object({
    id: wireId,
    actor: z.object({
      type: z.enum(['member', 'api_key', 'system']),
      id: wireId.nullable(),
      name: z
        .string()
        .nullable()
        .meta({ description: 'Of the member or the key by now; null for the system.' }),
    }),
    action: z.string(),
    object: z.object({ type: z.string(), id: wireId.nullable() }),
    address: z.string().nullable().meta({ description: 'Network address of the request.' }),
    created_at: wireTime,
    chain: auditPosition.nullable().meta({ description: 'Null for a row that is in no chain.' }),
  })
  .meta({ id: 'AuditRecord' });
export type AuditRecord = z.infer<typeof auditRecord>;

export const auditList: ListSpec = {
  sort: ['created_at'],
  filter: {
    actor_id: { type: 'uuid' },
    actor_type: { type: 'enum' },
    action: { type: 'enum' },
    created_at: { type: 'timestamp' },
  },
};
