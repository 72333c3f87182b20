import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';
import type { PushTarget } from './ports.js';

const CURVE = 'prime256v1';
const KEY_BYTES = 16;
const NONCE_BYTES = 12;
const SECRET_BYTES = 32;
const RECORD_BYTES = 4_096;
/** Delimiter of the last record, which is the only one. */
const LAST_RECORD = Buffer.from([2]);

/** Random values of each message. A test sets those of the RFC. */
export interface Drawn {
  /** The private key of the sender. */
  readonly key: Buffer;
  readonly salt: Buffer;
}

/** Encrypts a message of up to 3,993 bytes for a browser: aes128gcm (RFC 8188) with the keys of Web Push (RFC 8291). */
export function encryptPush(
  plain: Buffer,
  { p256dh, auth }: Pick<PushTarget, 'p256dh' | 'auth'>,
  drawn?: Drawn,
): Buffer {
  const receiver = Buffer.from(p256dh, 'base64url');
  const sender = createECDH(CURVE);
  if (drawn === undefined) sender.generateKeys();
  else sender.setPrivateKey(drawn.key);
  const salt = drawn?.salt ?? randomBytes(KEY_BYTES);
  const own = sender.getPublicKey();
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), receiver, own]);
  const secret = derive(Buffer.from(auth, 'base64url'), sender.computeSecret(receiver), info, SECRET_BYTES);
  const key = derive(salt, secret, Buffer.from('Content-Encoding: aes128gcm\0'), KEY_BYTES);
  const nonce = derive(salt, secret, Buffer.from('Content-Encoding: nonce\0'), NONCE_BYTES);
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  const sealed = [cipher.update(Buffer.concat([plain, LAST_RECORD])), cipher.final(), cipher.getAuthTag()];
  const head = Buffer.alloc(5);
  head.writeUInt32BE(RECORD_BYTES, 0);
  head.writeUInt8(own.length, 4);
  return Buffer.concat([salt, head, own, ...sealed]);
}

function derive(salt: Buffer, secret: Buffer, info: Buffer, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, length));
}
