import { z } from 'zod';
import { type ListSpec, recordList } from '../listing/list-spec.js';
import { wireId, wireTime } from '../schema/scalars.js';

/** An app that may ask users to act for them. */
export const oauthAppRecord = z
  .object({
    id: wireId,
    name: z.string(),
    type: z.enum(['public', 'confidential']),
    redirect_uris: z.array(z.string()),
    scopes: z.array(z.string()),
    client_id: wireId,
    client_secret: z
      .string()
      .nullable()
      .meta({ description: 'Only in the answers of create and rotate; null for public apps.' }),
    created_at: wireTime,
    updated_at: wireTime,
  })
  .meta({ id: 'OAuthApp' });
export type OAuthAppRecord = z.infer<typeof oauthAppRecord>;

export const oauthAppList: ListSpec = recordList({});
