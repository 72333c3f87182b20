/** Scopes of API keys. They are independent of each other: `:write` does not imply `:read`. */
export const apiKeyScopes = [
  'messages:read',
  'messages:write',
  'messages:draft',
  'conversations:read',
  'conversations:write',
  'calls:read',
  'calls:write',
  'broadcasts:read',
  'broadcasts:write',
  'profile:read',
  'profile:write',
  'locations:read',
  'locations:write',
  'protocols:read',
  'rtc:write',
  'platforms:read',
  'platforms:write',
  'analytics:read',
  'translation:write',
  'tv:read',
] as const;
export type Scope = (typeof apiKeyScopes)[number];

export const oauthScopes = [
  'user.read',
  'messages.read',
  'messages.write',
  'calls.read',
  'calls.write',
] as const;
export type OAuthScope = (typeof oauthScopes)[number];

/** API-key scopes that an OAuth scope grants, within the user's own conversations. */
const GRANTS: Readonly<Record<OAuthScope, readonly Scope[]>> = {
  'user.read': ['profile:read'],
  'messages.read': ['messages:read', 'conversations:read'],
  'messages.write': ['messages:write', 'messages:draft'],
  'calls.read': ['calls:read'],
  'calls.write': ['calls:write'],
};

export function grantedScopes(scopes: readonly OAuthScope[]): Set<Scope> {
  return new Set(scopes.flatMap((scope) => GRANTS[scope]));
}
