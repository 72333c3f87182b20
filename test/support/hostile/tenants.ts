import type { HostileCase, Scene } from './scene.js';

type Path = (scene: Scene) => string;

const of = (record: Readonly<Record<string, unknown>>) => String(record.id);

/** A request for a record that belongs to another workspace or does not exist. */
const unknown = (
  name: string,
  method: string,
  path: Path,
  body?: (scene: Scene) => object,
  status: readonly number[] = [404],
): HostileCase => ({
  name,
  status,
  act: (scene) => scene.ask(method, path(scene), { body: body?.(scene) }),
});
const sent = (scene: Scene, more: object) => ({
  conversation_id: of(scene.conversation),
  text: 'a',
  ...more,
});

/** Records of another workspace, and misleading ids. */
export const tenants: readonly HostileCase[] = [
  unknown(
    'a conversation of a neighbour that is read',
    'GET',
    ({ foreign }) => `/openapi/conversations/${of(foreign.conversation)}`,
  ),
  unknown(
    'a conversation of a neighbour that is renamed',
    'PATCH',
    ({ foreign }) => `/openapi/conversations/${of(foreign.conversation)}`,
    () => ({ title: 'Mine' }),
  ),
  unknown(
    'a conversation of a neighbour that is deleted',
    'DELETE',
    ({ foreign }) => `/openapi/conversations/${of(foreign.conversation)}`,
  ),
  unknown(
    'a message of a neighbour that is edited',
    'PATCH',
    ({ foreign }) => `/openapi/messages/${of(foreign.message)}`,
    () => ({ text: 'Mine' }),
  ),
  unknown(
    'a message of a neighbour that is traced',
    'GET',
    ({ foreign }) => `/openapi/messages/${of(foreign.message)}/trace`,
  ),
  unknown(
    'a message into the conversation of a neighbour',
    'POST',
    () => '/openapi/messages',
    ({ foreign }) => ({ conversation_id: of(foreign.conversation), text: 'a' }),
  ),
  unknown(
    'an answer to the message of a neighbour',
    'POST',
    () => '/openapi/messages',
    (scene) => sent(scene, { reply_to_id: of(scene.foreign.message) }),
  ),
  unknown(
    'the file of a neighbour',
    'POST',
    () => '/openapi/messages',
    (scene) => sent(scene, { attachments: [{ upload_id: of(scene.foreign.upload) }] }),
  ),
  unknown(
    'the contact of a neighbour in a conversation',
    'POST',
    (scene) => `/openapi/conversations/${of(scene.conversation)}/participants`,
    ({ foreign }) => ({ user_id: of(foreign.contact) }),
  ),
  unknown(
    'the contact of a neighbour in a merge',
    'POST',
    ({ contact }) => `/openapi/users/${of(contact)}/merge`,
    ({ foreign }) => ({ source_id: of(foreign.contact) }),
  ),
  unknown(
    'the contact of a neighbour in a broadcast',
    'POST',
    () => '/openapi/broadcasts',
    ({ foreign }) => ({
      name: 'a',
      content: { text: 'a' },
      purpose: 'transactional',
      platforms: ['sms'],
      recipients: { user_ids: [of(foreign.contact)] },
    }),
    [400, 404],
  ),
  unknown(
    'the contact of a neighbour who is erased',
    'DELETE',
    ({ foreign }) => `/openapi/users/${of(foreign.contact)}`,
  ),
  unknown(
    'the webhook of a neighbour that is tested',
    'POST',
    ({ foreign }) => `/api/webhooks/${of(foreign.webhook)}/test`,
  ),
  unknown(
    'the webhook of a neighbour whose secret is replaced',
    'POST',
    ({ foreign }) => `/api/webhooks/${of(foreign.webhook)}/rotate-secret`,
  ),
  unknown(
    'a list of the messages of a neighbour',
    'GET',
    ({ foreign }) => `/openapi/messages?conversation_id=${of(foreign.conversation)}`,
  ),
  unknown(
    'a call in the conversation of a neighbour',
    'POST',
    () => '/openapi/calls',
    ({ foreign }) => ({ type: 'audio', conversation_id: of(foreign.conversation) }),
    [400, 404],
  ),
  unknown(
    'a location of the contact of a neighbour',
    'POST',
    () => '/openapi/locations',
    ({ foreign }) => ({ user_id: of(foreign.contact), latitude: 1, longitude: 2 }),
  ),
  unknown('SQL in place of an id', 'GET', () => "/openapi/messages/'%20OR%201=1--"),
  unknown('a list in place of an id', 'GET', () => '/openapi/messages/[1,2]'),
  unknown(
    'an id with a wildcard',
    'GET',
    ({ message }) => `/openapi/messages/${of(message).slice(0, 35)}%25`,
  ),
  unknown('an id in braces', 'GET', ({ message }) => `/openapi/messages/{${of(message)}}`),
  unknown(
    'an id without its hyphens',
    'GET',
    ({ message }) => `/openapi/messages/${of(message).replaceAll('-', '')}`,
  ),
  unknown('an id and more', 'GET', ({ message }) => `/openapi/messages/${of(message)}%20`),
  unknown('the number of a conversation below one', 'GET', () => '/openapi/conversations/-1'),
  unknown(
    'the number of a conversation that no integer holds',
    'GET',
    () => '/openapi/conversations/99999999999999999999',
  ),
  unknown(
    'the number of a conversation in other digits',
    'GET',
    () => `/openapi/conversations/${encodeURIComponent('１')}`,
  ),
  unknown('the number of a conversation in hexadecimal', 'GET', () => '/openapi/conversations/0x1'),
];
