import { z } from 'zod';
import { loginEmail, newPassword, text } from '../schema/scalars.js';
import { plans } from './record.js';

const MAX_KEYWORDS = 50;

/** The body of PATCH workspace. */
export const changeWorkspaceBody = z.object({
  name: text(1, 256).optional(),
  plan: z.enum(plans).optional(),
  opt_out_keywords: z.array(text(1, 64)).max(MAX_KEYWORDS).optional(),
});
export type ChangeWorkspaceBody = z.output<typeof changeWorkspaceBody>;

/** The body of POST workspaces. */
export const createWorkspaceBody = z.object({
  name: text(1, 256),
  owner_email: loginEmail,
  owner_password: newPassword,
});
export type CreateWorkspaceBody = z.output<typeof createWorkspaceBody>;
