import { z } from 'zod';
import { metadata, text, timestamp } from '../schema/scalars.js';
import { isSecret } from './secret.js';

const maxHeaders = 10;
const headers = z
  .record(
    z.string().regex(/^X-(?![Ss][Ee][Rr][Vv][Ii][Cc][Ee]-)[A-Za-z0-9-]{1,60}$/),
    z.string().regex(/^[\x21-\x7e]{1,256}$/),
  )
  .refine((value) => Object.keys(value).length <= maxHeaders, {
    error: `must have at most ${maxHeaders} headers`,
    params: { code: 'too_many' },
  })
  .refine((value) => new Set(Object.keys(value).map(lowerCase)).size === Object.keys(value).length, {
    error: 'must not have a header twice',
    params: { code: 'duplicate' },
  });

const secret = z.string().refine(isSecret, {
  error: 'must be whsec_ and base64 of 24 to 64 bytes',
  params: { code: 'invalid_format' },
});
const status = z.enum(['enabled', 'disabled']);
const description = text(0, 256).nullable();
const rateLimit = z.int().min(1).max(1000).nullable();
const events = z.array(z.string()).min(1).max(100);

/** Body of a registration. */
export const createWebhookBody = z
  .object({
    url: z.string(),
    events,
    secret: secret.nullish(),
    status: status.default('enabled'),
    headers: headers.default({}),
    description: description.default(null),
    rate_limit: rateLimit.default(null),
    metadata: metadata.default({}),
  })
  .meta({ id: 'WebhookCreate' });
export type CreateWebhookBody = z.infer<typeof createWebhookBody>;

/** Body of a change. Absent fields do not change. */
export const updateWebhookBody = z
  .object({
    url: z.string(),
    events,
    status,
    headers,
    description,
    rate_limit: rateLimit,
    metadata,
  })
  .partial()
  .meta({ id: 'WebhookPatch' });
export type UpdateWebhookBody = z.infer<typeof updateWebhookBody>;

/** Body of a secret rotation. */
export const rotateSecretBody = z
  .object({
    secret: secret.nullish(),
    overlap_seconds: z.int().min(0).max(604_800).default(86_400),
  })
  .meta({ id: 'WebhookSecretRotation' });
export type RotateSecretBody = z.infer<typeof rotateSecretBody>;

/** Body of a recovery. */
export const recoverWebhookBody = z.object({ since: timestamp }).meta({ id: 'WebhookRecovery' });

function lowerCase(name: string): string {
  return name.toLowerCase();
}
