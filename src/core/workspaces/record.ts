import { z } from 'zod';
import { wireId } from '../schema/scalars.js';

export const plans = ['default', 'team', 'business', 'unlimited'] as const;
export type Plan = (typeof plans)[number];

/** A workspace, for its members. */
export const workspaceRecord = z
  .object({
    id: wireId,
    name: z.string(),
    plan: z.enum(plans),
    opt_out_keywords: z.array(z.string()),
    test_workspace_id: wireId.nullable(),
  })
  .meta({ id: 'Workspace' });
export type WorkspaceRecord = z.infer<typeof workspaceRecord>;
