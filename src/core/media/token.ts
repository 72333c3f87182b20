import { createHash, timingSafeEqual } from 'node:crypto';

/** Signed media links: id, expiry in Unix seconds, and HMAC-SHA-256 of both, in base64url. The database creates them. */

const ID_BYTES = 16;
const PAYLOAD_BYTES = ID_BYTES + 8;
const SIGNATURE_BYTES = 32;
const BLOCK_BYTES = 64;

/** A key prepared for RFC 2104: the blocks that are hashed before the text and before the inner digest. */
export interface MediaKey {
  readonly inner: Buffer;
  readonly outer: Buffer;
}

/** `key` has at most 64 bytes. */
export function mediaKey(key: Uint8Array): MediaKey {
  const block = Buffer.alloc(BLOCK_BYTES);
  block.set(key);
  return {
    inner: block.map((byte) => byte ^ 0x36) as Buffer,
    outer: block.map((byte) => byte ^ 0x5c) as Buffer,
  };
}

/** The id in a link that is genuine and has not expired. Undefined for anything else. */
export function readMediaToken(token: string, key: MediaKey, nowMs: number): string | undefined {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== PAYLOAD_BYTES + SIGNATURE_BYTES || bytes.toString('base64url') !== token)
    return undefined;
  const payload = bytes.subarray(0, PAYLOAD_BYTES);
  if (!timingSafeEqual(sign(payload, key), bytes.subarray(PAYLOAD_BYTES))) return undefined;
  if (Number(payload.readBigInt64BE(ID_BYTES)) * 1_000 <= nowMs) return undefined;
  return uuidOf(payload.subarray(0, ID_BYTES));
}

function sign(payload: Buffer, key: MediaKey): Buffer {
  const inner = createHash('sha256').update(key.inner).update(payload).digest();
  return createHash('sha256').update(key.outer).update(inner).digest();
}

function uuidOf(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
