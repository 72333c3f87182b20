import { z } from 'zod';
import { text } from '../schema/scalars.js';

const fields = z.record(z.string(), z.unknown());

export const createConnectionBody = z.object({
  name: text(1, 256),
  enabled: z.boolean().default(true),
  credentials: fields,
  settings: fields.default({}),
});
export type CreateConnectionBody = z.output<typeof createConnectionBody>;

export const changeConnectionBody = z.object({
  name: text(1, 256).optional(),
  enabled: z.boolean().optional(),
  credentials: fields.optional(),
  settings: fields.optional(),
});
export type ChangeConnectionBody = z.output<typeof changeConnectionBody>;
