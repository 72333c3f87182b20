import type { Role } from '../../core/access/session-identity.js';
import { roles } from '../../core/sessions/record.js';

type Claims = Readonly<Record<string, unknown>>;

/** Key that matches every account of the provider. */
const EVERYONE = '*';
/** Maximum number of values that are read from a claim. Further values are ignored. */
const MAX_VALUES = 10_000;

/** The highest role that any value of the claim maps to, or null if no value maps to a role. */
export function roleIn(claims: Claims, claim: string, byValue: ReadonlyMap<string, Role>): Role | null {
  const values = new Set([EVERYONE, ...valuesOf(claims, claim)]);
  const given = [...values].map((value) => byValue.get(value));
  // Roles are ordered from owner to viewer.
  return roles.find((role) => given.includes(role)) ?? null;
}

/** Finds a claim by its full name, or else by a path into nested objects, such as `realm_access.roles` of Keycloak. */
function valuesOf(claims: Claims, claim: string): readonly string[] {
  const found = Object.hasOwn(claims, claim) ? claims[claim] : within(claims, claim.split('.'));
  const values = Array.isArray(found) ? found.slice(0, MAX_VALUES) : [found];
  return values.filter((value): value is string => typeof value === 'string');
}

function within(claims: Claims, path: readonly string[]): unknown {
  let at: unknown = claims;
  for (const name of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Claims)[name];
  }
  return at;
}

/** A text of 1 to `maxLength` characters that PostgreSQL can store. Undefined for anything else. */
export function textIn(value: unknown, maxLength: number): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.replaceAll('\u0000', '').toWellFormed().trim();
  return text === '' || text.length > maxLength ? undefined : text;
}

export function nameIn(claims: Claims): string | undefined {
  return textIn(claims.name, 128) ?? textIn(claims.preferred_username, 128);
}
