import { randomBytes, timingSafeEqual } from 'node:crypto';
import { base62, hashCredential } from '../access/api-key-format.js';
import type { OAuthApp } from './ports.js';

const SECRET_BYTES = 32;
const SECRET_DIGITS = 43;

/** What a code or token begins with says what it is. */
const prefixes = { code: 'tl_ac_', access: 'tl_at_', refresh: 'tl_rt_' } as const;
export type OAuthCredential = keyof typeof prefixes;

const SHAPE = /^tl_(?:ac|at|rt)_[0-9A-Za-z]{43}$/;

/** Seconds from issue to end. A refresh token ends when it is idle for long, and at the latest with its grant. */
export const lifetimes = {
  codeSeconds: 60,
  accessSeconds: 3_600,
  refreshIdleSeconds: 30 * 86_400,
  grantSeconds: 180 * 86_400,
} as const;

/** A new code or token as it is handed out once; only its hash is ever stored. */
export function generateOAuthCredential(kind: OAuthCredential): { text: string; hash: Buffer } {
  const text = prefixes[kind] + base62(randomBytes(SECRET_BYTES), SECRET_DIGITS);
  return { text, hash: hashCredential(text) };
}

/** The hash to look a code or token up by; undefined when the text is none of this kind. Touches no storage. */
export function readOAuthCredential(text: string, ...kinds: readonly OAuthCredential[]): Buffer | undefined {
  const known = kinds.some((kind) => text.startsWith(prefixes[kind]));
  return known && SHAPE.test(text) ? hashCredential(text) : undefined;
}

/** Whether these credentials are the app's: the secret of a confidential one, and none for a public one. */
export function isClient(app: OAuthApp, secret: string | undefined): boolean {
  if (app.type === 'public') return secret === undefined;
  if (app.secretHash === null || secret === undefined) return false;
  return timingSafeEqual(app.secretHash, hashCredential(secret));
}
