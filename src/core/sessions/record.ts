import { z } from 'zod';
import { wireId, wireTime } from '../schema/scalars.js';
import { userRecord } from '../users/record.js';
import { workspaceRecord } from '../workspaces/record.js';

export const roles = ['owner', 'admin', 'member', 'viewer'] as const;

/** The signed-in person, workspace and role. */
export const sessionRecord = z
  .object({
    user: userRecord,
    workspace: workspaceRecord,
    role: z.enum(roles),
    operator: z.boolean(),
    csrf_token: z.string(),
    view: z.string().optional().meta({
      description:
        'Only for people who see only the conversations of their teams. It changes with the members of these.',
    }),
  })
  .meta({ id: 'Session' });
export type SessionRecord = z.infer<typeof sessionRecord>;

/** A browser in which a person is signed in. */
export const signedInBrowserRecord = z
  .object({
    id: wireId,
    current: z.boolean().meta({ description: 'Whether it is the session of this request.' }),
    address: z.string().meta({ description: 'Network address of the sign-in.' }),
    user_agent: z.string().meta({ description: 'What the browser called itself at the sign-in.' }),
    created_at: wireTime,
    last_seen_at: wireTime,
    expires_at: wireTime,
  })
  .meta({ id: 'SignedInBrowser' });
export type SignedInBrowserRecord = z.infer<typeof signedInBrowserRecord>;
