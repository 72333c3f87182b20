import { accessDenied } from '../common/errors.js';
import type { Caller } from './caller.js';
import { apiKeyScopes, type Scope } from './scopes.js';
import type { Role } from './session-identity.js';

/** Roles that may manage members, keys, apps and the workspace. */
const MANAGING: readonly Role[] = ['owner', 'admin'];

const held: Readonly<Record<Role, ReadonlySet<Scope>>> = {
  owner: new Set(apiKeyScopes),
  admin: new Set(apiKeyScopes),
  member: new Set(apiKeyScopes.filter((scope) => scope !== 'platforms:write')),
  viewer: new Set(apiKeyScopes.filter((scope) => scope.endsWith(':read'))),
};

/** The scopes of a role in the REST API. */
export function scopesOfRole(role: Role): ReadonlySet<Scope> {
  return held[role];
}

/** Throws `access_denied` unless the caller is signed in as owner or admin. */
export function requireManaging({ session }: Caller): void {
  if (session !== undefined && MANAGING.includes(session.role)) return;
  throw accessDenied(MANAGING, session === undefined ? [] : [session.role], 'role');
}

/** Throws `access_denied` unless the caller is signed in and is an operator of the installation. */
export function requireOperator({ session }: Caller): void {
  if (session?.operator !== true)
    throw accessDenied(['operator'], session === undefined ? [] : [session.role], 'role');
}
