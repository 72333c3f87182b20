import { z } from 'zod';
import { text } from '../schema/scalars.js';

/**
 * A private key of 4,096 bits has 3,300 bytes. All output of an adapter is searched for secrets, which takes longer for long
 * secrets.
 */
const MAX_CREDENTIAL_BYTES = 8_192;
const MAX_SETTING_BYTES = 65_536;

const fields = (maxBytes: number) =>
  z.record(z.string(), z.unknown()).refine((value) => Buffer.byteLength(JSON.stringify(value)) <= maxBytes, {
    error: `must be at most ${maxBytes} bytes as compact JSON`,
    params: { code: 'too_large' },
  });
const credentials = fields(MAX_CREDENTIAL_BYTES);
const settings = fields(MAX_SETTING_BYTES);

export const createConnectionBody = z.object({
  name: text(1, 256),
  enabled: z.boolean().default(true),
  credentials,
  settings: settings.default({}),
});
export type CreateConnectionBody = z.output<typeof createConnectionBody>;

export const changeConnectionBody = z.object({
  name: text(1, 256).optional(),
  enabled: z.boolean().optional(),
  credentials: credentials.optional(),
  settings: settings.optional(),
});
export type ChangeConnectionBody = z.output<typeof changeConnectionBody>;
