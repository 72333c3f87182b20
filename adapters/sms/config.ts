import { z } from 'zod';
import { type ConnectionConfig, secret } from '../../src/contract/index.js';

export const credentials = z.object({
  account_sid: z.string().regex(/^AC[0-9a-fA-F]{32}$/, 'Starts with AC, followed by 32 hexadecimal digits.'),
  auth_token: secret(z.string().min(1).max(256)),
});

export const settings = z.object({
  /** E.164 number, short code or alphanumeric sender id that belongs to the account. */
  from: z
    .string()
    .regex(/^(\+[1-9]\d{6,14}|\d{3,8}|[A-Za-z0-9 ]{1,11})$/)
    .optional(),
  messaging_service_sid: z
    .string()
    .regex(/^MG[0-9a-fA-F]{32}$/, 'Starts with MG, followed by 32 hexadecimal digits.')
    .optional(),
});

export type SmsCredentials = z.infer<typeof credentials>;
export type SmsSettings = z.infer<typeof settings>;
export type SmsConfig = ConnectionConfig<SmsCredentials, SmsSettings>;
