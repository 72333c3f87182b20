import { hash, randomBytes } from 'node:crypto';
import { base62, hashCredential } from './api-key-format.js';

const SECRET_BYTES = 32;
const SECRET_DIGITS = 43;

/** A new secret. The full token is returned once; only `hash` and `hint` are stored. */
export interface GeneratedToken {
  readonly token: string;
  readonly hash: Buffer;
  readonly hint: string;
}

/** Generates a token from `prefix` and 32 random bytes in base62. */
export function generateToken(prefix: 'tl_ss_' | 'tl_in_' | 'tl_cs_'): GeneratedToken {
  const token = prefix + base62(randomBytes(SECRET_BYTES), SECRET_DIGITS);
  return { token, hash: hashCredential(token), hint: token.slice(-4) };
}

/** The CSRF token of a session. It is derived from the session token, which pages cannot read, and does not reveal it. */
export function csrfTokenOf(sessionToken: string): string {
  return hash('sha256', `csrf ${sessionToken}`, 'buffer').toString('base64url');
}
