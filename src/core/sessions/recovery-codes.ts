import { randomBytes } from 'node:crypto';
import { hashCredential } from '../access/api-key-format.js';

const CODES = 10;
/** 80 bits can't be guessed from a hash. */
const CODE_BYTES = 10;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';
const GROUP = /.{4}/g;

/** A recovery code for the person, and its stored hash. */
export interface RecoveryCode {
  readonly code: string;
  readonly hash: Buffer;
}

export function newRecoveryCodes(): RecoveryCode[] {
  return Array.from({ length: CODES }, () => {
    const letters = base32(randomBytes(CODE_BYTES));
    return { code: (letters.match(GROUP) ?? []).join('-'), hash: hashCredential(letters) };
  });
}

/** The stored hash of an entered code, with or without hyphens. */
export function hashOfRecoveryCode(entered: string): Buffer {
  return hashCredential(entered.replace(/[\s-]/g, '').toLowerCase());
}

function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) ?? []).map((five) => LETTERS[Number.parseInt(five, 2)]).join('');
}
