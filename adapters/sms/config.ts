import { z } from 'zod';
import { type ConnectionConfig, secret } from '../../src/contract/index.js';

export const credentials = z.object({
  account_sid: z
    .string()
    .regex(sid('AC'), 'Starts with AC, followed by letters and digits.')
    .describe('Account SID, on the first page of the Twilio Console; starts with AC.'),
  auth_token: secret(
    z.string().min(1).max(256).describe('Auth Token, below the Account SID in the Twilio Console.'),
  ),
});

export const settings = z.object({
  /**
   * E.164 number, short code or alphanumeric sender id of the account. A sender id contains a letter: a number without
   * its plus would send, but Twilio lists replies under the number with the plus, so they would not be found.
   */
  from: z
    .string()
    .regex(
      /^(\+[1-9]\d{6,14}|\d{3,8}|(?=.*[A-Za-z])[A-Za-z0-9 +_&-]{1,11})$/,
      'A number starts with +; a name has at most 11 letters, digits, blanks or +-_&, and at least one letter.',
    )
    .meta({
      title: 'Sender',
      description:
        'Number or sender name that messages come from, such as +15005550006. Give this or a messaging service.',
    })
    .optional(),
  messaging_service_sid: z
    .string()
    .regex(sid('MG'), 'Starts with MG, followed by letters and digits.')
    .describe('Messaging Service SID, which starts with MG; Twilio then chooses the number.')
    .optional(),
});

export type SmsCredentials = z.infer<typeof credentials>;
export type SmsSettings = z.infer<typeof settings>;
export type SmsConfig = ConnectionConfig<SmsCredentials, SmsSettings>;

/** Twilio's ids have 32 hexadecimal digits. A compatible server may use others. */
function sid(prefix: 'AC' | 'MG'): RegExp {
  // regexp: one bounded repeat between two anchors.
  return new RegExp(`^${prefix}[0-9A-Za-z]{1,62}$`);
}
