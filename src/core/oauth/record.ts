import { z } from 'zod';
import { oauthScopes } from '../access/scopes.js';
import { type ListSpec, recordList } from '../listing/list-spec.js';
import { wireId, wireTime } from '../schema/scalars.js';

/** A user's approval of an app, for the user. */
export const grantRecord = z
  .object({
    id: wireId,
    app: z.object({ id: wireId, name: z.string(), client_id: wireId }),
    scopes: z.array(z.enum(oauthScopes)),
    expires_at: wireTime.meta({ description: 'When it ends unless the app uses it again.' }),
    created_at: wireTime,
    updated_at: wireTime,
  })
  .meta({ id: 'OAuthGrant' });
export type GrantRecord = z.infer<typeof grantRecord>;

/** Same, for those who manage the app. */
export const appGrantRecord = z
  .object({
    id: wireId,
    user: z.object({ id: wireId, display_name: z.string() }),
    scopes: grantRecord.shape.scopes,
    expires_at: grantRecord.shape.expires_at,
    created_at: wireTime,
    updated_at: wireTime,
  })
  .meta({ id: 'OAuthAppGrant' });
export type AppGrantRecord = z.infer<typeof appGrantRecord>;

export const grantList: ListSpec = recordList({});
