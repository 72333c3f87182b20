import type { Route } from '../../src/http/route.js';
import type { ApiClient, Json } from './api-client.js';

/** One record of each kind in a workspace, by its id. */
export type Records = Readonly<
  Record<
    | 'user'
    | 'acquaintance'
    | 'conversation'
    | 'link'
    | 'message'
    | 'delivery'
    | 'broadcast'
    | 'segment'
    | 'template'
    | 'tracking'
    | 'call'
    | 'connection'
    | 'webhook'
    | 'webhookDelivery',
    string
  >
>;

/** A valid request of a route. */
export interface RouteFixture {
  /** Path parameters: the record whose id is used, or `=` and a value. */
  readonly at?: Readonly<Record<string, keyof Records | `=${string}`>>;
  /** A query that limits a list to a record, with `{}` for its id. */
  readonly query?: readonly [text: string, record: keyof Records];
  readonly body?: (records: Records) => Json;
  /** Other statuses that an owner may get, if the success depends on a state or an external service. */
  readonly also?: readonly number[];
  /** Its success is not a finite JSON response, so only refusals are tested. */
  readonly special?: true;
  /** The result for another workspace if it isn't 404: an empty list. */
  readonly elsewhere?: 'empty';
  /** The scopes admit the request, and the record decides which of them is enough. */
  readonly recordDecides?: true;
}

const telegram = (name: string) => ({
  name,
  credentials: { bot_token: '1000:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' },
  // No server listens there.
  settings: { api_base_url: 'http://127.0.0.1:1999' },
});
const webhook = { url: 'http://127.0.0.1:1999/', events: ['messages'] };
const byRecord = { recordDecides: true } as const;

/** Every route of the interface, as `METHOD path`. A route without an entry fails the test of the matrix. */
export const routeFixtures: Readonly<Record<string, RouteFixture>> = {
  'GET /openapi/messages': { query: ['conversation_id={}', 'conversation'] },
  'GET /openapi/messages/{id}': { at: { id: 'message' } },
  'GET /openapi/messages/{id}/trace': { at: { id: 'message' } },
  'POST /openapi/messages': { body: ({ conversation }) => ({ conversation_id: conversation, text: 'Hi' }) },
  'PATCH /openapi/messages/{id}': { at: { id: 'message' }, body: () => ({ text: 'x' }), also: [409] },
  'DELETE /openapi/messages/{id}': { at: { id: 'message' } },
  'POST /openapi/messages/{id}/read': { at: { id: 'message' } },
  'POST /openapi/messages/{id}/retry': { at: { id: 'message' }, also: [409] },
  'PUT /openapi/messages/{id}/reactions/{emoji}': { at: { id: 'message', emoji: '=👍' }, also: [409] },
  'DELETE /openapi/messages/{id}/reactions/{emoji}': { at: { id: 'message', emoji: '=👍' }, also: [404] },
  'GET /openapi/deliveries': { query: ['filter=message_id:{}', 'message'], elsewhere: 'empty' },
  'GET /openapi/deliveries/{id}': { at: { id: 'delivery' } },
  'POST /openapi/deliveries/{id}/retry': { at: { id: 'delivery' }, also: [409] },
  'POST /openapi/deliveries/{id}/resolve': {
    at: { id: 'delivery' },
    body: () => ({ outcome: 'sent' }),
    also: [409],
  },
  'POST /openapi/attachments': { also: [400] },
  'GET /openapi/conversations': {},
  'GET /openapi/conversations/{id}': { at: { id: 'conversation' } },
  'POST /openapi/conversations': { body: ({ user }) => ({ participant_ids: [user] }) },
  'PATCH /openapi/conversations/{id}': { at: { id: 'conversation' }, body: () => ({ title: 'x' }) },
  'DELETE /openapi/conversations/{id}': { at: { id: 'conversation' } },
  'GET /openapi/conversations/{id}/participants': { at: { id: 'conversation' } },
  'POST /openapi/conversations/{id}/participants': {
    at: { id: 'conversation' },
    body: ({ acquaintance }) => ({ user_id: acquaintance }),
    also: [409],
  },
  'DELETE /openapi/conversations/{id}/participants/{user_id}': {
    at: { id: 'conversation', user_id: 'user' },
  },
  'GET /openapi/conversations/{id}/links': { at: { id: 'conversation' } },
  'POST /openapi/conversations/{id}/links': {
    at: { id: 'conversation' },
    body: ({ connection }) => ({ connection_id: connection, external_id: '7009' }),
  },
  'DELETE /openapi/conversations/{id}/links/{link_id}': { at: { id: 'conversation', link_id: 'link' } },
  'GET /openapi/conversations/{id}/capabilities': { at: { id: 'conversation' } },
  'POST /openapi/conversations/{id}/typing': {
    at: { id: 'conversation' },
    body: () => ({ state: 'started' }),
    also: [204],
  },
  'GET /openapi/users': {},
  'GET /openapi/users/me': {},
  'GET /openapi/users/{id}': { at: { id: 'user' } },
  'POST /openapi/users': { body: () => ({ display_name: 'New' }) },
  'PATCH /openapi/users/me': { body: () => ({ display_name: 'Me' }) },
  'PATCH /openapi/users/{id}': { at: { id: 'user' }, body: () => ({ display_name: 'x' }) },
  'DELETE /openapi/users/{id}': { at: { id: 'user' } },
  'POST /openapi/users/{id}/merge': {
    at: { id: 'user' },
    body: ({ acquaintance }) => ({ source_id: acquaintance }),
    also: [400, 409],
  },
  'GET /openapi/broadcasts': {},
  'GET /openapi/broadcasts/{id}': { at: { id: 'broadcast' } },
  'GET /openapi/broadcasts/{id}/recipients': { at: { id: 'broadcast' } },
  'POST /openapi/broadcasts': {
    body: ({ user }) => ({ draft: true, text: 'x', recipient_ids: [user] }),
  },
  'PATCH /openapi/broadcasts/{id}': { at: { id: 'broadcast' }, body: () => ({ name: 'x' }), also: [409] },
  'DELETE /openapi/broadcasts/{id}': { at: { id: 'broadcast' }, also: [409] },
  'POST /openapi/broadcasts/{id}/start': { at: { id: 'broadcast' }, also: [409] },
  'POST /openapi/broadcasts/{id}/pause': { at: { id: 'broadcast' }, also: [409] },
  'POST /openapi/broadcasts/{id}/resume': { at: { id: 'broadcast' }, also: [409] },
  'POST /openapi/broadcasts/{id}/retry': { at: { id: 'broadcast' }, also: [409] },
  'GET /openapi/segments': {},
  'POST /openapi/segments': { body: ({ user }) => ({ name: 'New', user_ids: [user] }) },
  'GET /openapi/segments/{id}': { at: { id: 'segment' } },
  'PATCH /openapi/segments/{id}': { at: { id: 'segment' }, body: () => ({ name: 'x' }), also: [409] },
  'DELETE /openapi/segments/{id}': { at: { id: 'segment' } },
  'GET /openapi/templates': {},
  'POST /openapi/templates': { body: () => ({ name: 'New', text: 'Hi' }) },
  'GET /openapi/templates/{id}': { at: { id: 'template' } },
  'PATCH /openapi/templates/{id}': { at: { id: 'template' }, body: () => ({ name: 'x' }) },
  'DELETE /openapi/templates/{id}': { at: { id: 'template' } },
  'GET /openapi/locations': { query: ['user_id={}', 'user'], recordDecides: true },
  'POST /openapi/locations': { body: ({ user }) => ({ user_id: user, latitude: 1, longitude: 2 }) },
  'GET /openapi/locations/tracking': byRecord,
  'GET /openapi/locations/tracking/{id}': { at: { id: 'tracking' }, recordDecides: true },
  'POST /openapi/locations/tracking': { body: ({ user }) => ({ user_id: user }), also: [409] },
  'POST /openapi/locations/tracking/{id}/stop': { at: { id: 'tracking' }, also: [409] },
  'POST /openapi/locations/tracking/{id}/consent': {
    at: { id: 'tracking' },
    body: () => ({ granted: true }),
    also: [409],
  },
  'GET /openapi/analytics/{resource}': { at: { resource: '=messages' } },
  'GET /openapi/calls': {},
  'GET /openapi/calls/{id}': { at: { id: 'call' } },
  // In a new conversation, because the other one is deleted once its call is over.
  'POST /openapi/calls': { body: ({ user }) => ({ participant_ids: [user] }), also: [409] },
  'POST /openapi/calls/{id}/end': { at: { id: 'call' }, also: [409] },
  'POST /openapi/calls/{id}/token': { at: { id: 'call' }, also: [409] },
  'POST /openapi/calls/{id}/signal': {
    at: { id: 'call' },
    body: () => ({ type: 'bye' }),
    also: [400, 409],
  },
  'GET /openapi/rtc/ice-servers': {},
  'GET /openapi/rtc': { special: true },
  'GET /openapi/events/stream': { special: true },
  // No provider is configured.
  'POST /openapi/translations': { also: [400] },
  'GET /openapi/tv/networks': {},
  'GET /openapi/tv/networks/{id}': { at: { id: '=none' }, also: [404] },
  'GET /openapi/tv/networks/{id}/schedule': { at: { id: '=none' }, also: [404] },
  'GET /openapi/protocols': {},
  'GET /openapi/protocols/{id}': { at: { id: '=telegram' } },
  'GET /openapi/platforms': {},
  'GET /openapi/platforms/{platform}': { at: { platform: '=telegram' } },
  'GET /openapi/platforms/connections': {},
  'GET /openapi/platforms/{platform}/connections': { at: { platform: '=telegram' } },
  'GET /openapi/platforms/connections/{id}': { at: { id: 'connection' } },
  'POST /openapi/platforms/{platform}/connections': {
    at: { platform: '=telegram' },
    body: () => ({ ...telegram('New'), enabled: false }),
  },
  'PATCH /openapi/platforms/connections/{id}': {
    at: { id: 'connection' },
    body: () => ({ name: 'x' }),
  },
  'DELETE /openapi/platforms/connections/{id}': { at: { id: 'connection' } },
  'POST /openapi/platforms/connections/{id}/test': { at: { id: 'connection' } },
  'POST /openapi/platforms/connections/{id}/reconnect': { at: { id: 'connection' }, also: [409] },
  // A route that does not exist for live keys.
  'POST /openapi/sandbox/inbound': { also: [404] },
  'GET /api/webhooks': byRecord,
  'GET /api/webhooks/{id}': { at: { id: 'webhook' }, ...byRecord },
  'POST /api/webhooks': { body: () => webhook, ...byRecord },
  'PATCH /api/webhooks/{id}': { at: { id: 'webhook' }, body: () => ({ description: 'x' }), ...byRecord },
  'DELETE /api/webhooks/{id}': { at: { id: 'webhook' }, ...byRecord },
  'POST /api/webhooks/{id}/rotate-secret': { at: { id: 'webhook' }, ...byRecord },
  'POST /api/webhooks/{id}/test': { at: { id: 'webhook' }, ...byRecord },
  'GET /api/webhooks/{id}/deliveries': { at: { id: 'webhook' }, ...byRecord },
  'POST /api/webhooks/{id}/deliveries/{delivery_id}/retry': {
    at: { id: 'webhook', delivery_id: 'webhookDelivery' },
    also: [409],
    ...byRecord,
  },
  'POST /api/webhooks/{id}/recover': {
    at: { id: 'webhook' },
    body: () => ({ since: new Date(Date.now() - 60_000).toISOString() }),
    also: [409],
    ...byRecord,
  },
  'GET /openapi/status': {},
};

/** The path of a route for the records of its fixture, with the query. */
export function fixturePath({ method, path }: Pick<Route, 'method' | 'path'>, records: Records): string {
  const name = `${method} ${path}`;
  const { at = {}, query } = routeFixtures[name] ?? {};
  const target = path.replace(/\{(\w+)\}/g, (whole, parameter: string) => {
    const value = at[parameter];
    if (value === undefined) throw new Error(`The fixture of ${name} says nothing of ${whole}.`);
    return value.startsWith('=') ? encodeURIComponent(value.slice(1)) : records[value as keyof Records];
  });
  return query === undefined ? target : `${target}?${query[0].replace('{}', records[query[1]])}`;
}

/** Creates the records that the fixtures use. */
export async function makeRecords(api: ApiClient): Promise<Records> {
  const make = async (path: string, body: Json) => api.must<Json>(201, 'POST', path, body);
  const connection = await make('/openapi/platforms/telegram/connections', {
    ...telegram('Bot'),
    enabled: false,
  });
  const user = await make('/openapi/users', { display_name: 'Ann' });
  const acquaintance = await make('/openapi/users', { display_name: 'Bob' });
  const conversation = await make('/openapi/conversations', {
    type: 'group',
    participant_ids: [user.id],
    links: [{ connection_id: connection.id, external_id: '7001' }],
  });
  const message = await make('/openapi/messages', { conversation_id: conversation.id, text: 'Hi' });
  const segment = await make('/openapi/segments', { name: 'List', user_ids: [user.id] });
  const template = await make('/openapi/templates', { name: 'Text', text: 'Hi' });
  const tracking = await make('/openapi/locations/tracking', { user_id: user.id });
  const broadcast = await make('/openapi/broadcasts', { draft: true, text: 'x', recipient_ids: [user.id] });
  const call = await make('/openapi/calls', { conversation_id: conversation.id });
  const hook = await make('/api/webhooks', webhook);
  await api.must(200, 'POST', `/api/webhooks/${hook.id}/test`);
  const first = async (path: string) => {
    const { data } = await api.must<{ data: Json[] }>(200, 'GET', path);
    return String(data[0]?.id);
  };
  const records = { user, acquaintance, conversation, message, segment, template, tracking, broadcast, call };
  const ids = Object.fromEntries(Object.entries(records).map(([name, { id }]) => [name, String(id)]));
  return {
    ...(ids as Record<keyof typeof records, string>),
    connection: String(connection.id),
    webhook: String(hook.id),
    link: await first(`/openapi/conversations/${conversation.id}/links`),
    delivery: await first(`/openapi/deliveries?filter=message_id:${message.id}`),
    webhookDelivery: await first(`/api/webhooks/${hook.id}/deliveries`),
  };
}
