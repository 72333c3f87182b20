import type { Route } from '../../src/http/route.js';
import { fixturePath, type Records, routeFixtures } from './access-fixtures.js';
import type { Json } from './api-client.js';
import { type ApiDocument, bodySlots, querySlots } from './api-document-slots.js';

/** Ids of records, including some that the fixtures lack. */
export type Possessions = Records & { readonly upload: string; readonly location: string };

/** A place in a request that takes the id of a record. */
export interface Place {
  /** Such as `GET /openapi/messages filter sender_id`. */
  readonly name: string;
  readonly route: Route;
  readonly record: keyof Possessions;
  /** The request of a client with its own records, and this id at the place. */
  request(id: string, own: Possessions): { readonly path: string; readonly body?: Json };
}

/** The records that fields of a request name. A field that is not listed fails the test. */
const records: Readonly<Record<string, keyof Possessions>> = {
  assignee_id: 'user',
  broadcast_id: 'broadcast',
  connection_id: 'connection',
  conversationId: 'conversation',
  conversation_id: 'conversation',
  created_by: 'user',
  initiator_id: 'user',
  link_id: 'link',
  message_id: 'message',
  participant_id: 'user',
  participant_ids: 'user',
  recipient_ids: 'user',
  reply_to_id: 'message',
  segment_ids: 'segment',
  sender_id: 'user',
  share_with: 'user',
  source_id: 'user',
  template_id: 'template',
  thread_id: 'message',
  to: 'user',
  tracking_session_id: 'tracking',
  upload_id: 'upload',
  user_id: 'user',
  user_ids: 'user',
};

type BodyOf = (id: string, own: Possessions) => Json;

const file = (id: string) => [{ upload_id: id }];
const files: BodyOf = (id) => ({ attachments: file(id) });
const draft = (more: Json): Json => ({ draft: true, text: 'x', ...more });
const position = { latitude: 1, longitude: 2 };
const audiences: Readonly<Record<string, BodyOf>> = {
  'audience.user_ids[]': (id) => ({ audience: { user_ids: [id] } }),
  'audience.segment_ids[]': (id) => ({ audience: { segment_ids: [id] } }),
  'audience.exclude.user_ids[]': (id, { user }) => ({
    audience: { user_ids: [user], exclude: { user_ids: [id] } },
  }),
  'audience.exclude.segment_ids[]': (id, { user }) => ({
    audience: { user_ids: [user], exclude: { segment_ids: [id] } },
  }),
};
const drafted = Object.fromEntries(
  Object.entries(audiences).map(([slot, body]): [string, BodyOf] => [
    slot,
    (id, own) => draft(body(id, own)),
  ]),
);
const variants = (id: string) => ({
  variants: [
    { key: 'a', weight: 50, text: 'x', attachments: file(id) },
    { key: 'b', weight: 50, text: 'y' },
  ],
});
const said = (message: Json): Json => ({ participant_ids: [], message: { text: 'x', ...message } });

/** A body for each place in a body, by route. The description must have the same places. */
const bodies: Readonly<Record<string, Readonly<Record<string, BodyOf>>>> = {
  'POST /openapi/messages': {
    conversation_id: (id) => ({ conversation_id: id, text: 'x' }),
    conversationId: (id) => ({ conversationId: id, text: 'x' }),
    'to.connection_id': (id) => ({
      to: { platform: 'telegram', connection_id: id, address: '7012' },
      text: 'x',
    }),
    'attachments[].upload_id': (id, own) => ({
      conversation_id: own.conversation,
      text: 'x',
      attachments: file(id),
    }),
    reply_to_id: (id, own) => ({ conversation_id: own.conversation, text: 'x', reply_to_id: id }),
    thread_id: (id, own) => ({ conversation_id: own.conversation, text: 'x', thread_id: id }),
  },
  'PATCH /openapi/messages/{id}': { 'attachments[].upload_id': files },
  'POST /openapi/conversations': {
    'participant_ids[]': (id) => ({ participant_ids: [id] }),
    'recipient.connection_id': (id) => ({
      recipient: { platform: 'telegram', connection_id: id, address: '7010' },
    }),
    'links[].connection_id': (id) => ({ links: [{ connection_id: id, external_id: '7011' }] }),
    'message.attachments[].upload_id': (id) => said({ attachments: file(id) }),
    'message.reply_to_id': (id) => said({ reply_to_id: id }),
    'message.thread_id': (id) => said({ thread_id: id }),
  },
  'PATCH /openapi/conversations/{id}': { assignee_id: (id) => ({ assignee_id: id }) },
  'POST /openapi/conversations/{id}/participants': { user_id: (id) => ({ user_id: id }) },
  'POST /openapi/conversations/{id}/links': {
    connection_id: (id) => ({ connection_id: id, external_id: '7012' }),
  },
  'POST /openapi/users/{id}/merge': { source_id: (id) => ({ source_id: id }) },
  'POST /openapi/calls': {
    conversation_id: (id) => ({ conversation_id: id }),
    'participant_ids[]': (id) => ({ participant_ids: [id] }),
  },
  'POST /openapi/calls/{id}/token': { user_id: (id) => ({ user_id: id }) },
  'POST /openapi/calls/{id}/signal': { to: (id) => ({ type: 'offer', to: id, payload: {} }) },
  'POST /openapi/broadcasts': {
    template_id: (id, own) => ({ draft: true, template_id: id, recipient_ids: [own.user] }),
    'recipient_ids[]': (id) => draft({ recipient_ids: [id] }),
    'attachments[].upload_id': (id, own) => draft({ recipient_ids: [own.user], ...files(id, own) }),
    'variants[].attachments[].upload_id': (id, own) => draft({ recipient_ids: [own.user], ...variants(id) }),
    ...drafted,
  },
  'PATCH /openapi/broadcasts/{id}': {
    template_id: (id) => ({ template_id: id }),
    'attachments[].upload_id': files,
    'variants[].attachments[].upload_id': variants,
    ...audiences,
  },
  'POST /openapi/segments': { 'user_ids[]': (id) => ({ name: 'x', user_ids: [id] }) },
  'PATCH /openapi/segments/{id}': { 'user_ids[]': (id) => ({ user_ids: [id] }) },
  'POST /openapi/templates': {
    'attachments[].upload_id': (id) => ({ name: 'x', text: 'x', attachments: file(id) }),
  },
  'PATCH /openapi/templates/{id}': { 'attachments[].upload_id': files },
  'POST /openapi/locations': {
    user_id: (id) => ({ user_id: id, ...position }),
    tracking_session_id: (id, own) => ({ user_id: own.user, tracking_session_id: id, ...position }),
    'points[].tracking_session_id': (id, own) => ({
      user_id: own.user,
      points: [{ tracking_session_id: id, ...position }],
    }),
  },
  'POST /openapi/locations/tracking': {
    user_id: (id) => ({ user_id: id }),
    conversation_id: (id, own) => ({ user_id: own.acquaintance, conversation_id: id }),
    'share_with[]': (id, own) => ({ user_id: own.acquaintance, share_with: [id] }),
  },
  'POST /openapi/translations': { message_id: (id) => ({ message_id: id, target_language: 'de' }) },
};

/** The kind of record in a list, whose `id` a filter may name. */
function listed({ path }: Route): keyof Possessions {
  const kind = path.split('/').at(-1) ?? '';
  const kinds: Readonly<Record<string, keyof Possessions>> = {
    deliveries: path.startsWith('/api/') ? 'webhookDelivery' : 'delivery',
    recipients: 'user',
  };
  return kinds[kind] ?? (kind.replace(/s$/, '') as keyof Possessions);
}

/** Every place in which one of these routes takes an id: the path, the query, filters and the body. */
export function placesOf(route: Route, document: ApiDocument): Place[] {
  const name = `${route.method} ${route.path}`;
  const { at = {}, body } = routeFixtures[name] ?? {};
  const own = (possessions: Possessions) => fixturePath(route, possessions);
  const bodied = (possessions: Possessions) => (body === undefined ? {} : { body: body(possessions) });
  const recordOf = (field: string): keyof Possessions => {
    const record = records[field];
    if (record === undefined) throw new Error(`${name}: nobody said which record ${field} names.`);
    return record;
  };
  const inPath = Object.entries(at)
    .filter(([, record]) => !record.startsWith('='))
    .map(([parameter, record]): Place => {
      const index = route.path.split('/').indexOf(`{${parameter}}`);
      const request = (id: string, mine: Possessions) => ({
        path: own(mine).split('/').with(index, id).join('/'),
        ...bodied(mine),
      });
      return { name: `${name} path ${parameter}`, route, record: record as keyof Possessions, request };
    });
  const asked = (kind: string, field: string, text: (id: string) => string): Place => ({
    name: `${name} ${kind} ${field}`,
    route,
    record: field === 'id' ? listed(route) : recordOf(field),
    request: (id, mine) => ({ path: `${own(mine).split('?')[0]}?${text(id)}` }),
  });
  const inQuery = querySlots(document, route).map((field) => asked('query', field, (id) => `${field}=${id}`));
  const inFilter = Object.entries(route.list?.filter ?? {})
    .filter(([field, { type }]) => type === 'uuid' || field === 'participant_id')
    .map(([field]) => asked('filter', field, (id) => `filter=${field}:${id}`));
  const inBody = bodySlots(document, route).map((slot): Place => {
    const make = bodies[name]?.[slot];
    if (make === undefined) throw new Error(`${name}: there is no body with ${slot}.`);
    const field = slot.split('.').at(-1)?.replace('[]', '') ?? '';
    const request = (id: string, mine: Possessions) => ({ path: own(mine), body: make(id, mine) });
    return { name: `${name} body ${slot}`, route, record: recordOf(field), request };
  });
  return [...inPath, ...inQuery, ...inFilter, ...inBody];
}
