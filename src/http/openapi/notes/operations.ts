import type { ScopeRule } from '../../../core/access/authorize.js';
import type { Route } from '../../route.js';
import { audienceNotes } from './audiences.js';
import { callNotes } from './calls.js';
import { conversationNotes } from './conversations.js';
import { messageNotes } from './messages.js';
import type { OperationNote, OperationNotes } from './note.js';
import { locationNotes, userNotes } from './people.js';
import { platformNotes } from './platforms.js';
import { webhookNotes } from './webhooks.js';

/** The notes of every operation. */
export const operationNotes: OperationNotes = {
  ...messageNotes,
  ...conversationNotes,
  ...userNotes,
  ...callNotes,
  ...audienceNotes,
  ...locationNotes,
  ...platformNotes,
  ...webhookNotes,
};

const NOTHING: OperationNote = {};

export function noteOf({ method, path }: Pick<Route, 'method' | 'path'>): OperationNote {
  return operationNotes[`${method} ${path}`] ?? NOTHING;
}

/** The scopes a key needs for an operation. */
export function scopeRuleOf(route: Pick<Route, 'method' | 'path' | 'scopes'>): ScopeRule {
  return typeof route.scopes === 'function' ? (noteOf(route).scopes ?? []) : route.scopes;
}

/** Descriptions of the tags. */
export const tagDescriptions: Readonly<Record<string, string>> = {
  Messages: 'Send, read, edit and follow messages, and upload files for them.',
  Deliveries: 'The status of a message in each linked chat.',
  Conversations: 'Conversations with their participants and linked platform chats.',
  Users: 'Members, contacts and bots.',
  Calls: 'Start, join and end calls, and signal in them.',
  Broadcasts: 'One message to many recipients.',
  Segments: 'Named audiences.',
  Templates: 'Named texts.',
  Locations: 'Locations of users, and tracking with consent.',
  Analytics: 'Counts by day and hour.',
  Translations: 'Translations of texts.',
  Television: 'The television guide.',
  Platforms: 'Installed adapters, and what they can do.',
  Connections: 'Accounts on platforms.',
  Sandbox: 'Write as a simulated contact, with a test key.',
  Webhooks: 'Receive events as signed requests.',
  Events: 'Follow events over a stream.',
  Status: 'State and versions of the service.',
};
