import * as z from 'zod/mini';
import type { NewApiKey } from '../../api/session-paths';
import { messages as grants } from './grant-messages';
import { messages as t } from './messages';

const MAX_RATE_LIMIT = 1_000_000;
/** Maximum number of conversations in a grant. The service has the same limit. */
const MAX_GRANTED = 500;
const DAY_MS = 86_400_000;
export const DEFAULT_RATE_LIMIT = 100;

/** The problem of a grant. A null grant has no limit. */
export function grantProblem(grant: readonly string[] | null): string | undefined {
  if (grant?.length === 0) return grants('missing');
  return grant !== null && grant.length > MAX_GRANTED ? grants('tooMany', { count: MAX_GRANTED }) : undefined;
}

/** The form of a new key. The service validates it again and checks the networks in detail. */
export const keyForm = z.object({
  name: z.string().check(z.trim(), z.minLength(1, t('nameMissing')), z.maxLength(256, t('nameTooLong'))),
  environment: z.enum(['live', 'test']),
  scopes: z.array(z.string()).check(z.minLength(1, t('scopesMissing'))),
  grant: z.nullable(
    z
      .array(z.string())
      .check(
        z.minLength(1, grants('missing')),
        z.maxLength(MAX_GRANTED, grants('tooMany', { count: MAX_GRANTED })),
      ),
  ),
  lifetime: z.enum(['never', '30', '90', '365']),
  rateLimit: z.coerce
    .number(t('rateLimitInvalid'))
    .check(
      z.int(t('rateLimitInvalid')),
      z.minimum(0, t('rateLimitInvalid')),
      z.maximum(MAX_RATE_LIMIT, t('rateLimitInvalid')),
    ),
  addresses: z.string(),
});
export type KeyForm = z.output<typeof keyForm>;
export type KeyFormInput = z.input<typeof keyForm>;

/** One network or address per line. */
export const addressesOf = (text: string): string[] => text.split(/[\s,]+/).filter((each) => each !== '');

export function newKeyOf(form: KeyForm): NewApiKey {
  const { name, environment, scopes, grant, lifetime, rateLimit, addresses } = form;
  return {
    name,
    environment,
    scopes,
    rate_limit: rateLimit,
    ip_allowlist: addressesOf(addresses),
    ...(environment === 'live' && grant !== null && { conversation_ids: grant }),
    expires_at: lifetime === 'never' ? null : new Date(Date.now() + Number(lifetime) * DAY_MS).toISOString(),
  };
}

const EXAMPLES: Readonly<Record<string, string>> = {
  'conversations:read': '/openapi/conversations?limit=5',
  'messages:read': '/openapi/messages?limit=5',
  'platforms:read': '/openapi/platforms',
  'protocols:read': '/openapi/protocols',
  'profile:read': '/openapi/users/me',
  'broadcasts:read': '/openapi/broadcasts?limit=5',
};

/** An example command for the key. It reads data that the key's scopes allow. */
export function curlOf(key: string, scopes: readonly string[], origin: string): string {
  const scope = Object.keys(EXAMPLES).find((each) => scopes.includes(each));
  const path = (scope && EXAMPLES[scope]) ?? '/openapi/openapi.json';
  return `curl '${origin}${path}' \\\n  -H 'X-API-Key: ${key}'`;
}
