import { Secret, TOTP } from 'otpauth';
import { clock } from '../../contract/clock.js';
import type { OneTimeCodes } from '../../core/sessions/second-step-store.js';

/** Values that every authenticator app assumes: SHA-1, six digits, a period of 30 seconds. */
const PERIOD_S = 30;
const FORM = { issuer: 'Trunkline', algorithm: 'SHA1', digits: 6, period: PERIOD_S };
/** Length recommended by RFC 4226. */
const SECRET_BYTES = 20;
/** Number of periods that the clock of a phone may be off. */
const WINDOW = 1;

/** TOTP codes of authenticator apps, checked against the database clock. */
export class TotpCodes implements OneTimeCodes {
  newSecret(): string {
    return new Secret({ size: SECRET_BYTES }).base32;
  }

  uriOf(secret: string, account: string): string {
    return new TOTP({ ...FORM, secret, label: account }).toString();
  }

  stepOf(secret: string, code: string): number | undefined {
    const timestamp = clock.now();
    const delta = new TOTP({ ...FORM, secret }).validate({ token: code, timestamp, window: WINDOW });
    return delta === null ? undefined : Math.floor(timestamp / 1_000 / PERIOD_S) + delta;
  }
}
