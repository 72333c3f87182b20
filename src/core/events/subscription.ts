import type { Caller } from '../access/caller.js';
import type { OAuthScope } from '../access/scopes.js';
import { accessDenied, invalidField } from '../common/errors.js';
import {
  type EventReadScope,
  eventCatalogue,
  eventCategories,
  eventReadScopes,
} from '../webhooks/catalogue.js';
import { isKnown, matches, scopesOf } from '../webhooks/subscription.js';

const maxEntries = 100;
const wide: ReadonlySet<string> = new Set(['*', ...eventCategories]);

/** The OAuth scope that grants a read scope. No OAuth scope grants the other read scopes. */
const grantedBy: Partial<Record<EventReadScope, OAuthScope>> = {
  'messages:read': 'messages.read',
  'conversations:read': 'messages.read',
  'calls:read': 'calls.read',
  'profile:read': 'user.read',
};

/**
 * The event names that a comma-separated list of names, prefixes, categories and `*` selects for a caller. `*` and categories
 * select only events that the credential may read, possibly none.
 *
 * Raises `access_denied` for a name or prefix without its read scope, then `invalid_request` for an unknown entry.
 */
export function streamedEvents(list: string, caller: Caller): readonly string[] {
  const entries = [...new Set(list.split(','))];
  const named = entries.filter((entry) => !wide.has(entry));
  assertReadable([...new Set(named.flatMap(scopesOf))], caller);
  if (entries.length > maxEntries) {
    throw invalidField('events', 'too_many', `Expected at most ${maxEntries} names, prefixes or categories.`);
  }
  const unknown = named.find((entry) => !isKnown(entry));
  if (unknown !== undefined) {
    throw invalidField(
      'events',
      'invalid_value',
      'Expected names of events, prefixes such as message.*, categories or *, separated by commas.',
    );
  }
  const subscription = {
    events: entries,
    scopes: eventReadScopes.filter((scope) => isReadable(scope, caller)),
  };
  return eventCatalogue.map(({ name }) => name).filter((name) => matches(subscription, name));
}

function assertReadable(needed: readonly EventReadScope[], caller: Caller): void {
  if (needed.every((scope) => isReadable(scope, caller))) return;
  const { oauthScopes, scopes } = caller;
  if (oauthScopes !== undefined && needed.some((scope) => !isGranted(scope, oauthScopes))) {
    throw accessDenied([...new Set(needed.map((scope) => grantedBy[scope] ?? scope))], [...oauthScopes]);
  }
  throw accessDenied(needed, [...scopes]);
}

function isReadable(scope: EventReadScope, { scopes, oauthScopes }: Caller): boolean {
  return scopes.has(scope) && (oauthScopes === undefined || isGranted(scope, oauthScopes));
}

function isGranted(scope: EventReadScope, held: ReadonlySet<OAuthScope>): boolean {
  const granting = grantedBy[scope];
  return granting !== undefined && held.has(granting);
}
