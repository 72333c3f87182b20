import { generateKeyPairSync, sign } from 'node:crypto';
import type { PushKey } from './ports.js';

/** RFC 8292, section 2, allows at most a day. */
const VALID_SECONDS = 12 * 60 * 60;
/** The first byte of an uncompressed point. */
const UNCOMPRESSED = Buffer.from([4]);

/** Creates a key pair that identifies the installation to push services. */
export function newPushKey(): PushKey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const point = [UNCOMPRESSED, Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')];
  return {
    publicKey: Buffer.concat(point).toString('base64url'),
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** The `Authorization` header for a push service (RFC 8292). `contact` is an address of the operator, mailto or https. */
export function vapidHeader(endpoint: string, contact: string, key: PushKey, nowMs: number): string {
  const claims = {
    aud: new URL(endpoint).origin,
    exp: Math.floor(nowMs / 1_000) + VALID_SECONDS,
    sub: contact,
  };
  const signed = [{ typ: 'JWT', alg: 'ES256' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const signature = sign('sha256', Buffer.from(signed), { key: key.privateKey, dsaEncoding: 'ieee-p1363' });
  return `vapid t=${signed}.${signature.toString('base64url')}, k=${key.publicKey}`;
}
