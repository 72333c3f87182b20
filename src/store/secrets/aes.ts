import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { SecretUnreadableError } from './errors.js';

// version (1) | key id (8) | nonce (12) | ciphertext | tag (16)
export const keyIdBytes = 8;
const nonceBytes = 12;
const tagBytes = 16;
const headBytes = 1 + keyIdBytes;

/** The use of a key. It is the first byte of every value that the key seals. */
export const Version = {
  /** A value, under a key of the workspace that is derived from the master key. */
  derived: 1,
  /** The key of a workspace or the check of the installation, under the master key. */
  wrapped: 2,
  /** A value, under the random key of its workspace. */
  workspace: 3,
} as const;

export interface Key {
  readonly version: number;
  readonly id: Buffer;
  readonly key: Buffer;
}

/** AES-256-GCM. The result opens only with the same key and the same context. */
export function encrypt({ version, id, key }: Key, plain: Buffer, context: readonly string[]): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(authenticated(context, version));
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([Buffer.from([version]), id, nonce, body, cipher.getAuthTag()]);
}

/** Raises SecretUnreadableError. */
export function decrypt({ version, id, key }: Key, sealed: Buffer, context: readonly string[]): Buffer {
  if (sealed.length < headBytes + nonceBytes + tagBytes) throw new SecretUnreadableError();
  if (versionOf(sealed) !== version || !keyIdOf(sealed).equals(id)) throw new SecretUnreadableError();
  const nonce = sealed.subarray(headBytes, headBytes + nonceBytes);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
  decipher.setAAD(authenticated(context, version));
  decipher.setAuthTag(sealed.subarray(-tagBytes));
  try {
    const body = decipher.update(sealed.subarray(headBytes + nonceBytes, -tagBytes));
    return Buffer.concat([body, decipher.final()]);
  } catch {
    throw new SecretUnreadableError();
  }
}

export function versionOf(sealed: Buffer): number | undefined {
  return sealed[0];
}

/** The id of the key that sealed a value. */
export function keyIdOf(sealed: Buffer): Buffer {
  return sealed.subarray(1, headBytes);
}

/** A new random id of a key. */
export function newKeyId(): Buffer {
  return randomBytes(keyIdBytes);
}

function authenticated(context: readonly string[], version: number): Buffer {
  return Buffer.from(JSON.stringify([...context, version]));
}
