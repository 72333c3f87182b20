import type { Scope } from '../access/scopes.js';

/** Names that select several events in a subscription. */
export const eventCategories = [
  'messages',
  'calls',
  'user_status',
  'conversations',
  'broadcasts',
  'locations',
  'platforms',
] as const;
type EventCategory = (typeof eventCategories)[number];

/** Scopes that allow a caller to see events. */
export const eventReadScopes = [
  'messages:read',
  'conversations:read',
  'calls:read',
  'profile:read',
  'broadcasts:read',
  'locations:read',
  'platforms:read',
] as const satisfies readonly Scope[];
export type EventReadScope = (typeof eventReadScopes)[number];

export interface EventDefinition {
  readonly name: string;
  /** Null: selected only by name, prefix and `*`. */
  readonly category: EventCategory | null;
  /** Null: any event read scope is sufficient. */
  readonly scope: EventReadScope | null;
  /** Selected only by its exact name or its own prefix, not by `*`. */
  readonly onRequest: boolean;
}

const messages = define('messages', 'messages:read');
const conversations = define('conversations', 'conversations:read');
const calls = define('calls', 'calls:read');
const userStatus = define('user_status', 'profile:read');
const users = define(null, 'profile:read');
const broadcasts = define('broadcasts', 'broadcasts:read');
const locations = define('locations', 'locations:read');
const platforms = define('platforms', 'platforms:read');
const onRequest = define(null, 'messages:read', true);
const installation = define(null, 'platforms:read');
const anyReader = define(null, null);

/** Sent to one endpoint at its owner's request. No subscription selects it. */
export const testEvent = 'webhook.test';

/** All events. */
export const eventCatalogue: readonly EventDefinition[] = [
  ...messages('message', 'created', 'updated', 'deleted', 'sent', 'delivered', 'read', 'failed', 'rerouted'),
  ...messages('delivery', 'failed', 'uncertain'),
  ...onRequest('delivery', 'updated'),
  ...onRequest('reaction', 'added', 'removed'),
  ...onRequest('typing', 'started', 'stopped'),
  ...conversations('conversation', 'created', 'updated', 'status_changed', 'assigned', 'deleted'),
  ...conversations('conversation', 'participant_added', 'participant_removed'),
  ...conversations('conversation', 'link_added', 'link_removed', 'link_updated'),
  ...calls('call', 'created', 'ringing', 'answered', 'ended', 'failed'),
  ...calls('call', 'participant_joined', 'participant_left'),
  ...userStatus('user', 'status_changed', 'presence_changed'),
  ...users('user', 'created', 'updated', 'deleted', 'merged', 'opted_out', 'opted_in'),
  ...broadcasts('broadcast', 'scheduled', 'started', 'paused', 'resumed', 'completed', 'canceled', 'failed'),
  ...locations('location', 'updated'),
  ...locations('tracking', 'started', 'stopped', 'expired'),
  ...platforms('platform', 'connected', 'disconnected', 'error', 'gap'),
  ...anyReader('webhook', 'test', 'disabled'),
  ...installation('service', 'backlog_grown', 'backup_failed'),
];

const byName = new Map(eventCatalogue.map((event) => [event.name, event]));

export function findEvent(name: string): EventDefinition | undefined {
  return byName.get(name);
}

function define(category: EventCategory | null, scope: EventReadScope | null, named = false) {
  return (subject: string, ...verbs: readonly string[]): EventDefinition[] =>
    verbs.map((verb) => ({ name: `${subject}.${verb}`, category, scope, onRequest: named }));
}
