import type { OAuthScope } from '../access/scopes.js';

/** The scopes that a user with this role can grant to an app. A viewer can grant only read scopes. */
export function grantable(scopes: readonly OAuthScope[], role: string | null): OAuthScope[] {
  return role === 'viewer' ? scopes.filter((scope) => scope.endsWith('.read')) : [...scopes];
}
