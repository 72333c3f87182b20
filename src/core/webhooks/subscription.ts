import { accessDenied, type FieldProblem, invalidRequest } from '../common/errors.js';
import {
  type EventDefinition,
  type EventReadScope,
  eventCatalogue,
  eventReadScopes,
  findEvent,
  testEvent,
} from './catalogue.js';

/** The requested events, and the scopes that were granted for them. */
export interface Subscription {
  readonly events: readonly string[];
  readonly scopes: readonly string[];
}

const everything = '*';

/**
 * The subscription of a caller for a list of names, prefixes, categories and `*`: without duplicates, with the read scopes that
 * it needs. For `*` these are the event read scopes that the caller holds, at least one.
 *
 * Raises `access_denied` for scopes that the caller lacks, then `invalid_request` for names that don't exist.
 */
export function validateEvents(
  events: readonly string[],
  held: ReadonlySet<string>,
  field = 'events',
): Subscription {
  const unique = [...new Set(events)];
  const scopes = assertEvents(unique, held);
  const problems = events.flatMap((entry, index): FieldProblem[] =>
    isKnown(entry)
      ? []
      : [{ field: `${field}.${index}`, code: 'invalid_value', message: 'There is no such event.' }],
  );
  if (problems.length > 0) throw invalidRequest(problems);
  return { events: unique, scopes };
}

/** Returns the scopes that these events need. Raises `access_denied` unless the caller holds them. Unknown events need none. */
export function assertEvents(events: readonly string[], held: ReadonlySet<string>) {
  const readable = assertReader(held);
  const needed = new Set(events.flatMap((entry) => (entry === everything ? readable : scopesOf(entry))));
  const scopes = eventReadScopes.filter((scope) => needed.has(scope));
  assertScopes(scopes, held);
  return scopes;
}

/** Returns the event read scopes that are held. Raises `access_denied` if there are none. */
export function assertReader(held: ReadonlySet<string>): readonly string[] {
  const readable = eventReadScopes.filter((scope) => held.has(scope));
  if (readable.length === 0) throw accessDenied(eventReadScopes, [...held]);
  return readable;
}

/** Raises `access_denied` unless all scopes in `needed` are held. The error names the needed and the held scopes. */
export function assertScopes(needed: readonly string[], held: ReadonlySet<string>): void {
  if (needed.some((scope) => !held.has(scope))) throw accessDenied(needed, [...held]);
}

/** Whether a subscription selects an event. No subscription selects an unknown name. */
export function matches(subscription: Subscription, eventName: string): boolean {
  const event = findEvent(eventName);
  if (event === undefined || event.name === testEvent) return false;
  if (event.scope !== null && !subscription.scopes.includes(event.scope)) return false;
  return subscription.events.some((entry) => covers(entry, event));
}

function covers(entry: string, event: EventDefinition): boolean {
  if (entry === event.name || entry === `${subjectOf(event)}.*`) return true;
  return !event.onRequest && (entry === everything || entry === event.category);
}

/** Whether an entry of a subscription matches any event. */
export function isKnown(entry: string): boolean {
  return scopesByEntry.has(entry);
}

/** Read scopes of the events that an entry of a subscription matches. */
export function scopesOf(entry: string): readonly EventReadScope[] {
  return scopesByEntry.get(entry) ?? [];
}

/** The read scopes of every entry that matches events. */
const scopesByEntry: ReadonlyMap<string, readonly EventReadScope[]> = new Map(
  eventCatalogue
    .flatMap((event) => [everything, event.name, `${subjectOf(event)}.*`, event.category ?? event.name])
    .map((entry) => {
      const covered = eventCatalogue.filter((event) => covers(entry, event));
      return [entry, [...new Set(covered.flatMap(({ scope }) => scope ?? []))]];
    }),
);

function subjectOf(event: EventDefinition): string {
  return event.name.slice(0, event.name.indexOf('.'));
}
