import { z } from 'zod';
import { text } from '../schema/scalars.js';

const parameter = text(0, 2_048).optional();

/**
 * The parameters of an authorization request with the user's decision. Only the app and its redirect URI are checked here. Errors
 * in other parameters are reported to the app in the redirect.
 */
export const consentBody = z.object({
  response_type: parameter,
  client_id: text(1, 2_048),
  redirect_uri: text(1, 2_048),
  scope: parameter,
  state: parameter,
  code_challenge: parameter,
  code_challenge_method: parameter,
  approve: z.boolean(),
});
export type ConsentBody = z.output<typeof consentBody>;
