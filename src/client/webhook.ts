import { type LocalCode, TrunklineError } from './error.js';
import type { TrunklineEvent } from './events.js';

/** Headers of fetch or Node, with names in any letter case. */
export type ReceivedHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** Maximum difference of the time of signing, in either direction. Default: 300. */
  readonly toleranceSeconds?: number;
  /** Current time in Unix seconds. Default: the clock. */
  readonly now?: number;
}

/** The signed data, the time and the signatures according to one scheme. */
interface Claim {
  readonly timestamp: string;
  /** The signed text before the body. */
  readonly prefix: string;
  readonly signatures: readonly Bytes[];
  readonly key: Bytes;
}

type Bytes = Uint8Array<ArrayBuffer>;

const DEFAULT_TOLERANCE_SECONDS = 300;

/**
 * Verifies a webhook request and returns its event. Throws a {@link TrunklineError} with code `invalid_signature` unless the
 * service signed exactly these bytes a short time ago.
 *
 * `body` is the raw body as received, not parsed and serialized again. During a rotation, either secret is valid. Reads
 * `X-Service-Signature`, or the headers of Standard Webhooks if it is absent. The same event may arrive twice: store its `id`.
 */
export async function verifyWebhook(
  body: string | Uint8Array | ArrayBuffer,
  headers: ReceivedHeaders,
  secret: string,
  { toleranceSeconds = DEFAULT_TOLERANCE_SECONDS, now = Date.now() / 1000 }: VerifyOptions = {},
): Promise<TrunklineEvent> {
  const bytes = bytesOf(body);
  const claim = ownClaim(headers, secret) ?? standardClaim(headers, secret);
  if (claim === undefined) throw refused('The request has no signature.');
  if (!/^\d{1,12}$/.test(claim.timestamp)) throw refused('The timestamp of the signature is invalid.');
  const isRecent = Math.abs(now - Number(claim.timestamp)) <= toleranceSeconds;
  if (!isRecent) throw refused('The request was signed too long ago, or in the future.');
  if (!(await isSigned(claim, bytes))) throw refused('The signature does not match the body and the secret.');
  return JSON.parse(new TextDecoder().decode(bytes)) as TrunklineEvent;
}

function ownClaim(headers: ReceivedHeaders, secret: string): Claim | undefined {
  const value = header(headers, 'x-service-signature');
  if (value === undefined) return undefined;
  const pairs = value.split(',').map((pair) => pair.trim().split('=', 2));
  const timestamp = pairs.find(([name]) => name === 't')?.[1] ?? '';
  const signatures = pairs.filter(([name]) => name === 'v1').map(([, hex = '']) => fromHex(hex));
  return { timestamp, prefix: `${timestamp}.`, signatures, key: encoded(secret) };
}

function standardClaim(headers: ReceivedHeaders, secret: string): Claim | undefined {
  const id = header(headers, 'webhook-id');
  const timestamp = header(headers, 'webhook-timestamp');
  const value = header(headers, 'webhook-signature');
  if (id === undefined || timestamp === undefined || value === undefined) return undefined;
  const signatures = value.split(' ').filter((each) => each.startsWith('v1,'));
  const key = fromBase64(secret.replace(/^whsec_/, ''));
  if (key.length === 0) throw new TypeError('secret must be whsec_ and base64.');
  return {
    timestamp,
    prefix: `${id}.${timestamp}.`,
    signatures: signatures.map((each) => fromBase64(each.slice('v1,'.length))),
    key,
  };
}

/** Web Crypto compares in constant time. */
async function isSigned({ key, prefix, signatures }: Claim, body: Bytes): Promise<boolean> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', key, algorithm, false, ['verify']);
  const start = encoded(prefix);
  const signed = new Uint8Array(start.length + body.length);
  signed.set(start);
  signed.set(body, start.length);
  const fits = signatures.map((signature) => crypto.subtle.verify('HMAC', imported, signature, signed));
  return (await Promise.all(fits)).includes(true);
}

function refused(message: string): TrunklineError {
  return new TrunklineError({ status: 0, code: 'invalid_signature' satisfies LocalCode, message });
}

function bytesOf(body: unknown): Bytes {
  if (typeof body === 'string') return encoded(body);
  if (ArrayBuffer.isView(body)) {
    return new Uint8Array(body.buffer, body.byteOffset, body.byteLength).slice() as Bytes;
  }
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  throw new TypeError('body must be the raw body as it was received: a string or bytes.');
}

function header(headers: ReceivedHeaders, name: string): string | undefined {
  if (typeof headers.get === 'function') return (headers as Headers).get(name) ?? undefined;
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof found === 'string' ? found : found?.[0];
}

function encoded(text: string): Bytes {
  return new TextEncoder().encode(text) as Bytes;
}

/** Returns no bytes for invalid hex, which matches no signature. */
function fromHex(text: string): Bytes {
  const pairs = /^(?:[0-9a-f]{2})+$/i.test(text) ? (text.match(/../g) ?? []) : [];
  return Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16));
}

function fromBase64(text: string): Bytes {
  const isBase64 = text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
  return Uint8Array.from(isBase64 ? atob(text) : '', (character) => character.charCodeAt(0));
}
