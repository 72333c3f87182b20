import { AppError, accessDenied } from '../common/errors.js';
import type { Caller } from './caller.js';
import type { OAuthScope, Scope } from './scopes.js';

/** API-key scopes that an operation needs: all of a list (an empty list accepts any valid credential), or one of several. */
export type ScopeRule = readonly Scope[] | { readonly anyOf: readonly Scope[] };

/** OAuth scopes that allow an operation: one, one of several, any token at all, or none. */
export type OAuthRule = OAuthScope | readonly OAuthScope[] | 'any' | null;

/** Permissions that an operation requires, or that a record included in its response requires. */
interface Access {
  readonly scopes: ScopeRule;
  readonly oauth: OAuthRule;
}

/** Records that `expand` can include in a response, by name. Including one requires the same permissions as reading it. */
export type Expansions = Readonly<Record<string, Access>>;

/** Throws `access_denied` unless every credential of the caller allows the operation. */
export function requireAccess(caller: Caller, rule: ScopeRule, oauth: OAuthRule): void {
  if (caller.oauthScopes !== undefined) requireToken(caller.oauthScopes, rule, oauth);
  if (caller.credential.kind !== 'oauth') requireScopes(caller, rule);
}

/** Throws `access_denied` unless the caller holds the scopes. For rules that depend on the record. */
export function requireScopes(caller: Caller, rule: ScopeRule): void {
  const held = [...caller.scopes];
  if ('anyOf' in rule) {
    if (!rule.anyOf.some((scope) => caller.scopes.has(scope))) throw accessDenied(rule.anyOf, held);
  } else if (!rule.every((scope) => caller.scopes.has(scope))) {
    throw accessDenied(rule, held);
  }
}

/** Whether the current holder of the same credentials, if any, still has all permissions of the caller. */
export function holdsStill(now: Caller | undefined, caller: Caller): boolean {
  if (now === undefined || now.userId !== caller.userId) return false;
  if (!seesTheSame(now, caller)) return false;
  const held: ReadonlySet<string> = now.oauthScopes ?? new Set();
  return (
    [...caller.scopes].every((scope) => now.scopes.has(scope)) &&
    [...(caller.oauthScopes ?? [])].every((scope) => held.has(scope))
  );
}

/** Whether the caller's restriction and the members of their teams are unchanged. */
function seesTheSame(now: Caller, caller: Caller): boolean {
  return (
    now.restriction?.readerId === caller.restriction?.readerId &&
    now.restriction?.version === caller.restriction?.version
  );
}

/** Throws `access_denied` for a restricted member, and for a key with a grant. */
export function requireWholeWorkspace({ restriction }: Caller): void {
  if (restriction === undefined) return;
  const isGrant = restriction.by === 'grant';
  const who = isGrant ? 'Keys with a grant' : 'Members who see only the conversations of their teams';
  throw new AppError('access_denied', `${who} have no access to this.`, {
    required: ['all conversations'],
    provided: [isGrant ? 'conversations of the grant' : 'conversations of own teams'],
  });
}

/**
 * Adds the scopes that the caller holds to an `access_denied` error. An error raised for a single record does not know
 * them.
 */
export function namingScopes(error: unknown, { oauthScopes, scopes }: Caller): unknown {
  if (!(error instanceof AppError) || error.code !== 'access_denied' || error.details?.provided) return error;
  const provided = [...(oauthScopes ?? scopes)].sort();
  return new AppError(error.code, error.message, { ...error.details, provided });
}

function requireToken(held: ReadonlySet<OAuthScope>, rule: ScopeRule, oauth: OAuthRule): void {
  if (oauth === 'any') return;
  if (oauth === null) throw accessDenied('anyOf' in rule ? rule.anyOf : rule, [...held]);
  const allowed = typeof oauth === 'string' ? [oauth] : oauth;
  if (!allowed.some((scope) => held.has(scope))) throw accessDenied(allowed, [...held]);
}
