import { z } from 'zod';
import { userRecord } from '../users/record.js';
import { workspaceRecord } from '../workspaces/record.js';

export const roles = ['owner', 'admin', 'member', 'viewer'] as const;

/** Who is signed in, where, and as what. */
export const sessionRecord = z
  .object({
    user: userRecord,
    workspace: workspaceRecord,
    role: z.enum(roles),
    operator: z.boolean(),
    csrf_token: z.string(),
  })
  .meta({ id: 'Session' });
export type SessionRecord = z.infer<typeof sessionRecord>;
