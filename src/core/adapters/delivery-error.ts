import { z } from 'zod';

/** Error records of messages and deliveries as the API returns them, version 1.0. */

const deliveryErrorCodes = [
  'recipient_gone',
  'blocked_by_recipient',
  'opted_out',
  'content_rejected',
  'too_long',
  'too_large',
  'unsupported',
  'forbidden',
  'auth_revoked',
  'media_unavailable',
  'edit_expired',
  'no_route',
  'provider_error',
  'platform_error',
  'rate_limited',
  'network',
  'platform_down',
  'expired',
  'outcome_unknown',
] as const;

export type DeliveryErrorCode = (typeof deliveryErrorCodes)[number];

export const deliveryErrorRecord = z
  .object({
    code: z.enum(deliveryErrorCodes),
    message: z.string(),
    permanent: z.boolean(),
    platform_code: z.string().nullable().meta({ description: 'Code or text given by the platform.' }),
  })
  .meta({ id: 'DeliveryError' });

export type DeliveryErrorRecord = z.infer<typeof deliveryErrorRecord>;
