import { z } from 'zod';
import { loginEmail, newPassword, text, username, uuid } from '../schema/scalars.js';

/** The body of POST session. An impossible password counts as a wrong one. */
export const signInBody = z.object({
  email: text(1, 254),
  password: text(1, 256),
  workspace_id: uuid.nullish(),
});
export type SignInBody = z.output<typeof signInBody>;

/** The body of POST setup. `setup_token` is required if other machines can reach the service. */
export const setupBody = z.object({
  email: loginEmail,
  password: newPassword,
  display_name: text(1, 128),
  setup_token: text(1, 128).nullish(),
});
export type SetupBody = z.output<typeof setupBody>;

/** The body of POST invitations. */
export const acceptInvitationBody = z.object({
  password: newPassword,
  username,
  display_name: text(1, 128),
});
export type AcceptInvitationBody = z.output<typeof acceptInvitationBody>;

/** The body of PUT password. */
export const changePasswordBody = z.object({
  current_password: text(1, 256),
  new_password: newPassword,
});
export type ChangePasswordBody = z.output<typeof changePasswordBody>;
