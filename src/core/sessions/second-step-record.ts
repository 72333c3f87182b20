import { z } from 'zod';
import { text, wireTime } from '../schema/scalars.js';

/** Whether a sign-in requires a code, and the number of remaining recovery codes. */
export const secondStepRecord = z
  .object({
    enabled: z.boolean(),
    enabled_at: wireTime.nullable(),
    recovery_codes_left: z.number().int(),
  })
  .meta({ id: 'SecondStep' });
export type SecondStepRecord = z.infer<typeof secondStepRecord>;

/** The secret for an authenticator app. It is shown until a code confirms it. */
export const secondStepSecretRecord = z
  .object({ secret: z.string(), uri: z.string() })
  .meta({ id: 'SecondStepSecret' });
export type SecondStepSecretRecord = z.infer<typeof secondStepSecretRecord>;

/** Recovery codes. They are shown only in this response. */
export const recoveryCodesRecord = z
  .object({ recovery_codes: z.array(z.string()) })
  .meta({ id: 'RecoveryCodes' });
export type RecoveryCodesRecord = z.infer<typeof recoveryCodesRecord>;

/** The response to a correct password if a code is required. The token replaces the password in the second step. */
export const secondStepWantedRecord = z.object({
  second_step: z.object({ token: z.string(), expires_at: wireTime }),
});
export type SecondStepWantedRecord = z.infer<typeof secondStepWantedRecord>;

/** A code of the app, or a recovery code. */
const code = text(6, 64);

/** The body of POST session/second-step. */
export const secondStepBody = z.object({ token: text(1, 1024), code });
export type SecondStepBody = z.output<typeof secondStepBody>;

/** The body of POST second-step. */
export const beginSecondStepBody = z.object({ password: text(1, 256) });
export type BeginSecondStepBody = z.output<typeof beginSecondStepBody>;

/** The body of POST second-step/confirm. */
export const confirmSecondStepBody = z.object({ code });
export type ConfirmSecondStepBody = z.output<typeof confirmSecondStepBody>;

/** The body of POST second-step/recovery-codes and second-step/disable. */
export const bothStepsBody = z.object({ password: text(1, 256), code });
export type BothStepsBody = z.output<typeof bothStepsBody>;
