import { z } from 'zod';
import { oauthScopes } from '../access/scopes.js';
import { text, url } from '../schema/scalars.js';

const MAX_REDIRECTS = 10;
const LOOPBACK = new Set(['127.0.0.1', '[::1]']);

/** Stored as sent, because later requests must match the exact string. */
const redirectUri = url.refine(isRedirectUri, {
  error: 'must be https, or http to 127.0.0.1 or [::1], without a fragment',
  params: { code: 'invalid_format' },
});

const redirectUris = z.array(redirectUri).min(1).max(MAX_REDIRECTS).transform(distinct);
const scopes = z.array(z.enum(oauthScopes)).min(1).max(oauthScopes.length).transform(distinct);

/** The body of POST oauth-apps. */
export const createOAuthAppBody = z.object({
  name: text(1, 256),
  type: z.enum(['public', 'confidential']),
  redirect_uris: redirectUris,
  scopes,
});
export type CreateOAuthAppBody = z.output<typeof createOAuthAppBody>;

/** The body of PATCH oauth-apps. */
export const changeOAuthAppBody = z.object({
  name: text(1, 256).optional(),
  redirect_uris: redirectUris.optional(),
  scopes: scopes.optional(),
});
export type ChangeOAuthAppBody = z.output<typeof changeOAuthAppBody>;

function isRedirectUri(value: string): boolean {
  if (!URL.canParse(value) || value.includes('#') || /\s/.test(value)) return false;
  const { protocol, hostname } = new URL(value);
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname));
}

function distinct<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
