import { z } from 'zod';
import { text, uuid } from '../schema/scalars.js';

/** Request bodies of teams. */

const MAX_MEMBERS = 250;

const fields = {
  name: text(1, 256),
  member_ids: z.array(uuid).max(MAX_MEMBERS),
};

/** The body of POST teams. */
export const createTeamBody = z.object({ ...fields, member_ids: fields.member_ids.default([]) });
export type CreateTeamBody = z.output<typeof createTeamBody>;

/** The body of PATCH teams. */
export const changeTeamBody = z.object(fields).partial();
export type ChangeTeamBody = z.output<typeof changeTeamBody>;
