import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_BYTES = 32;
const SECRET_DIGITS = 43;
const CHECKSUM_DIGITS = 6;
const SHAPE = /^tl_(live|test)_[0-9A-Za-z]{49}$/;

export type KeyEnvironment = 'live' | 'test';

/** A new key. The full key is returned once; only `hash` and `hint` are stored. */
export interface GeneratedApiKey {
  readonly key: string;
  readonly hash: Buffer;
  readonly hint: string;
}

/** Writes bytes as a big-endian number in base62, left-padded with `0` to `digits`. */
export function base62(bytes: Uint8Array, digits: number): string {
  let rest = BigInt(`0x${Buffer.from(bytes).toString('hex') || '0'}`);
  let text = '';
  for (; rest > 0n; rest /= 62n) text = DIGITS[Number(rest % 62n)] + text;
  return text.padStart(digits, '0');
}

function checksum(text: string): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(text));
  return base62(bytes, CHECKSUM_DIGITS);
}

/** Derives a key from 32 random bytes. Only tests pass `bytes`. */
export function generateApiKey(
  environment: KeyEnvironment,
  bytes = randomBytes(SECRET_BYTES),
): GeneratedApiKey {
  const body = `tl_${environment}_${base62(bytes, SECRET_DIGITS)}`;
  const key = body + checksum(body);
  return { key, hash: hashCredential(key), hint: key.slice(-4) };
}

/** The environment of a well-formed key with a correct checksum, otherwise undefined. Does not access storage. */
export function readApiKey(text: string): KeyEnvironment | undefined {
  const shape = SHAPE.exec(text);
  if (shape === null || checksum(text.slice(0, -CHECKSUM_DIGITS)) !== text.slice(-CHECKSUM_DIGITS))
    return undefined;
  return shape[1] === 'live' ? 'live' : 'test';
}

/** The stored form of a key or token: the SHA-256 of the full text. */
export function hashCredential(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
