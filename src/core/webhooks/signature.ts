import { createHmac, timingSafeEqual } from 'node:crypto';
import { standardKey } from './secret.js';

/** The input of one signature. Each attempt signs the event again. */
export interface Signable {
  /** The `id` of the payload. */
  readonly id: string;
  readonly body: string | Uint8Array;
  /** The time of the attempt in Unix seconds. */
  readonly timestamp: number;
}

/** Headers in the form of Node or fetch, with names in any letter case. */
export type ReceivedHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** The current time in Unix seconds. Default: the clock. */
  readonly now?: number;
  /** Maximum difference of the timestamp, in either direction. */
  readonly toleranceSeconds?: number;
}

const defaultToleranceSeconds = 300;

/** The signature headers of both schemes. `secrets` has the current secret, followed by the old one during a rotation. */
export function signatureHeaders(signable: Signable, secrets: readonly string[]): Record<string, string> {
  const { id, timestamp } = signable;
  const own = secrets.map((secret) => `v1=${ownDigest(signable, secret).toString('hex')}`);
  const standard = secrets.map((secret) => `v1,${standardDigest(signable, secret).toString('base64')}`);
  return {
    'x-service-signature': [`t=${timestamp}`, ...own].join(','),
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': standard.join(' '),
  };
}

/**
 * Whether a received request was signed with `secret`, and its timestamp is within the tolerance.
 *
 * `body` must be the raw bytes as received, not parsed and serialized again. Compares in constant time. Uses
 * `X-Service-Signature` or, if it is absent, the Standard Webhooks headers.
 */
export function verifySignature(
  body: string | Uint8Array,
  headers: ReceivedHeaders,
  secret: string,
  options: VerifyOptions = {},
): boolean {
  const own = header(headers, 'x-service-signature');
  const claim = own === undefined ? standardClaim(headers) : ownClaim(own);
  if (claim === undefined) return false;
  const now = options.now ?? Math.floor(Date.now() / 1000);
  if (Math.abs(now - claim.timestamp) > (options.toleranceSeconds ?? defaultToleranceSeconds)) return false;
  const signable = { id: claim.id, timestamp: claim.timestamp, body };
  const expected = own === undefined ? standardDigest(signable, secret) : ownDigest(signable, secret);
  return claim.digests.reduce((found, digest) => sameBytes(digest, expected) || found, false);
}

interface Claim {
  readonly id: string;
  readonly timestamp: number;
  readonly digests: readonly Buffer[];
}

function ownClaim(value: string): Claim | undefined {
  const pairs = value.split(',').map((part) => part.split('=', 2));
  const timestamp = unixSeconds(pairs.find(([name]) => name === 't')?.[1]);
  const digests = pairs.flatMap(([name, hex = '']) => (name === 'v1' ? [Buffer.from(hex, 'hex')] : []));
  return timestamp === undefined ? undefined : { id: '', timestamp, digests };
}

function standardClaim(headers: ReceivedHeaders): Claim | undefined {
  const id = header(headers, 'webhook-id');
  const timestamp = unixSeconds(header(headers, 'webhook-timestamp'));
  if (id === undefined || timestamp === undefined) return undefined;
  const signatures = (header(headers, 'webhook-signature') ?? '').split(' ');
  const digests = signatures.flatMap((text) =>
    text.startsWith('v1,') ? [Buffer.from(text.slice('v1,'.length), 'base64')] : [],
  );
  return { id, timestamp, digests };
}

function ownDigest({ timestamp, body }: Signable, secret: string): Buffer {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();
}

function standardDigest({ id, timestamp, body }: Signable, secret: string): Buffer {
  return createHmac('sha256', standardKey(secret)).update(`${id}.${timestamp}.`).update(body).digest();
}

function sameBytes(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

function unixSeconds(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : undefined;
}

function header(headers: ReceivedHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof found === 'string' ? found : found?.[0];
}
