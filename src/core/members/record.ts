import { z } from 'zod';
import { type ListSpec, recordList } from '../listing/list-spec.js';
import { wireId, wireTime } from '../schema/scalars.js';
import { roles } from '../sessions/record.js';
import { userRecord } from '../users/record.js';

/** A member of a workspace with the member's role. */
export const memberRecord = z
  .object({
    id: wireId.meta({ description: "The user's." }),
    user: userRecord,
    role: z.enum(roles),
    created_at: wireTime,
    updated_at: wireTime,
    own_teams_only: z.literal(true).optional().meta({
      description:
        'Only for members who see only the conversations of their teams. Has no effect for owners and admins.',
    }),
  })
  .meta({ id: 'Member' });
export type MemberRecord = z.infer<typeof memberRecord>;

/** The response to an invitation. */
export const invitationRecord = z
  .object({ member: memberRecord, invite_url: z.string().nullable() })
  .meta({ id: 'Invitation' });
export type InvitationRecord = z.infer<typeof invitationRecord>;

export const memberList: ListSpec = recordList({});
