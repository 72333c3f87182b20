import { randomBytes, timingSafeEqual } from 'node:crypto';
import { base62, hashCredential } from '../access/api-key-format.js';
import type { OAuthApp } from './ports.js';

const SECRET_BYTES = 32;
const SECRET_DIGITS = 43;

/** The prefix of a code or token identifies its kind. */
const prefixes = { code: 'tl_ac_', access: 'tl_at_', refresh: 'tl_rt_' } as const;
export type OAuthCredential = keyof typeof prefixes;

const SHAPE = /^tl_(?:ac|at|rt)_[0-9A-Za-z]{43}$/;

/** Lifetimes in seconds. A refresh token expires when it is not used for this time, and at the latest with its grant. */
export const lifetimes = {
  codeSeconds: 60,
  accessSeconds: 3_600,
  refreshIdleSeconds: 30 * 86_400,
  grantSeconds: 180 * 86_400,
} as const;

/** Creates a code or token. Its text is returned once. Only its hash is stored. */
export function generateOAuthCredential(kind: OAuthCredential): { text: string; hash: Buffer } {
  const text = prefixes[kind] + base62(randomBytes(SECRET_BYTES), SECRET_DIGITS);
  return { text, hash: hashCredential(text) };
}

/** The hash for the lookup of a code or token. Undefined if the text is not of one of these kinds. Needs no storage. */
export function readOAuthCredential(text: string, ...kinds: readonly OAuthCredential[]): Buffer | undefined {
  const known = kinds.some((kind) => text.startsWith(prefixes[kind]));
  return known && SHAPE.test(text) ? hashCredential(text) : undefined;
}

/** Whether the app has this secret. A public app has none. */
export function isClient(app: OAuthApp, secret: string | undefined): boolean {
  if (app.type === 'public') return secret === undefined;
  if (app.secretHash === null || secret === undefined) return false;
  return timingSafeEqual(app.secretHash, hashCredential(secret));
}
