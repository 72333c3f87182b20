import { z } from 'zod';
import { loginEmail, text, username } from '../schema/scalars.js';
import { roles } from '../sessions/record.js';

/** The body of POST members: a person to invite, or a bot. */
export const createMemberBody = z
  .object({
    kind: z.enum(['member', 'bot']).default('member'),
    role: z.enum(roles),
    email: loginEmail.optional(),
    username: username.optional(),
    display_name: text(1, 128).optional(),
    own_teams_only: z.boolean().optional(),
  })
  .superRefine(({ kind, email }, context) => {
    if (kind === 'bot' && email !== undefined)
      context.addIssue({
        code: 'custom',
        path: ['email'],
        message: 'A bot has no e-mail address.',
        params: { code: 'exclusive' },
      });
    if (kind === 'member' && email === undefined)
      context.addIssue({
        code: 'custom',
        path: ['email'],
        message: 'Expected an e-mail address.',
        params: { code: 'required' },
      });
  });
export type CreateMemberBody = z.output<typeof createMemberBody>;

/** The body of PATCH members. */
export const changeMemberBody = z.object({
  role: z.enum(roles).optional(),
  status: z.enum(['active', 'suspended']).optional(),
  own_teams_only: z.boolean().optional(),
});
export type ChangeMemberBody = z.output<typeof changeMemberBody>;
