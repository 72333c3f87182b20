import type { OAuthScope } from '../access/scopes.js';

/** What a user of this role can pass on to an app: a viewer only reads, and so do the apps of one. */
export function grantable(scopes: readonly OAuthScope[], role: string | null): OAuthScope[] {
  return role === 'viewer' ? scopes.filter((scope) => scope.endsWith('.read')) : [...scopes];
}
