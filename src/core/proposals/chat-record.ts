import { z } from 'zod';
import { wireId, wireTime } from '../schema/scalars.js';

/** The account of a member on a platform. */
export const chatIdentityRecord = z
  .object({
    id: wireId,
    platform: z.string(),
    connection: z.string().meta({ description: 'Name of the connection.' }),
    name: z.string().meta({ description: 'What the platform called the person when the code was written.' }),
    created_at: wireTime,
  })
  .meta({ id: 'ChatIdentity' });
export type ChatIdentityRecord = z.infer<typeof chatIdentityRecord>;

export const chatCodeRecord = z
  .object({
    text: z.string().meta({ description: 'What to write in the staff chat. It is shown this once.' }),
    expires_at: wireTime,
  })
  .meta({ id: 'ChatCode' });
export type ChatCodeRecord = z.infer<typeof chatCodeRecord>;
