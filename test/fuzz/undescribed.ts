import { z } from 'zod';
import { ids } from '../../src/http/openapi/examples/ids.js';
import type { Route } from '../../src/http/route.js';
import { everyDashboardRoute } from '../support/routes.js';
import type { Operation, Parameter, Schema } from './description.js';

/** Operations that are not in the description but reachable by any client: sessions, OAuth, pages, and webhooks of platforms. */
export function undescribedOperations(): Operation[] {
  return [...everyDashboardRoute().map(ofRoute), ...pages, ...oauth, ...hooks];
}

const text: Schema = { type: 'string' };
const id: Schema = { type: 'string', format: 'uuid' };
const nothing = { version: '', resolve: (schema: Schema) => schema };

function ofRoute({ method, path, query, body, list }: Route): Operation {
  const asked = query === undefined ? {} : (jsonOf(query).properties ?? {});
  const listed = list === undefined ? [] : ['page', 'limit', 'cursor', 'sort', 'order'];
  const filter = list === undefined ? [] : [filterParameter(Object.keys(list.filter))];
  const schema = body && jsonOf(body);
  return {
    ...nothing,
    name: `${method} /dashboard/api${path}`,
    method,
    path: `/dashboard/api${path}`,
    parameters: [
      ...inPath(path, id),
      ...Object.entries(asked).map(([name, one]): Parameter => ({ name, in: 'query', schema: one })),
      ...listed.map((name): Parameter => ({ name, in: 'query', schema: text })),
      ...filter,
    ],
    bodies: schema ? [{ type: 'application/json', schema, example: undefined }] : [],
    resolve: resolverOf(schema),
  };
}

type JsonSchema = Schema & { readonly $defs?: Readonly<Record<string, Schema>> };

const jsonOf = (schema: z.ZodType): JsonSchema =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;

function resolverOf(root: JsonSchema | undefined): Operation['resolve'] {
  const resolve = (schema: Schema): Schema => {
    const name = schema.$ref?.split('/').at(-1);
    return name === undefined ? schema : resolve(root?.$defs?.[name] ?? {});
  };
  return resolve;
}

const inPath = (path: string, schema: Schema): Parameter[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({ name, in: 'path', schema }));

const filterParameter = (names: readonly string[]): Parameter => ({
  name: 'filter',
  in: 'query',
  schema: text,
  description: `fields: ${names.join(', ')}`,
});

/** A GET, or a POST of a form. */
function plain(method: string, path: string, { query = {}, fields, example }: Plain = {}): Operation {
  const object = (properties: Readonly<Record<string, Schema>>) => ({ type: 'object', properties });
  return {
    ...nothing,
    name: `${method} ${path}`,
    method,
    path,
    parameters: [
      ...inPath(path, id),
      ...Object.entries(query).map(([name, schema]): Parameter => ({ name, in: 'query', schema })),
    ],
    bodies: [
      ...(fields ? [{ type: FORM, schema: object(fields), example: undefined }] : []),
      ...(example ? [{ type: 'application/json', schema: { type: 'object' }, example }] : []),
    ],
  };
}

interface Plain {
  readonly query?: Readonly<Record<string, Schema>>;
  readonly fields?: Readonly<Record<string, Schema>>;
  readonly example?: object;
}

const FORM = 'application/x-www-form-urlencoded';

const pages = [
  plain('GET', '/dashboard/login', { query: { return_to: text } }),
  plain('GET', '/dashboard/setup', { query: { return_to: text } }),
  plain('GET', '/dashboard/invitations/{token}'),
  plain('GET', '/avatars/{file}'),
  plain('GET', '/media/{token}'),
  plain('GET', '/docs'),
];

const AUTHORIZATION: Readonly<Record<string, Schema>> = {
  response_type: { enum: ['code', 'token', ''] },
  client_id: id,
  redirect_uri: { type: 'string', format: 'uri' },
  scope: { enum: ['messages.read', 'messages.read user.read', 'all', ''] },
  state: text,
  code_challenge: text,
  code_challenge_method: { enum: ['S256', 'plain'] },
};
const CLIENT: Readonly<Record<string, Schema>> = { client_id: id, client_secret: text };

const oauth = [
  plain('GET', '/.well-known/oauth-authorization-server'),
  plain('GET', '/oauth/authorize', { query: AUTHORIZATION }),
  plain('POST', '/oauth/authorize', {
    fields: { ...AUTHORIZATION, approve: { enum: ['true', 'false'] }, csrf_token: text },
  }),
  plain('POST', '/oauth/token', {
    fields: {
      ...CLIENT,
      grant_type: { enum: ['authorization_code', 'refresh_token', 'password'] },
      code: text,
      redirect_uri: { type: 'string', format: 'uri' },
      code_verifier: text,
      refresh_token: text,
    },
  }),
  plain('POST', '/oauth/revoke', { fields: { ...CLIENT, token: text, token_type_hint: text } }),
  plain('POST', '/oauth/introspect', { fields: { ...CLIENT, token: text, token_type_hint: text } }),
];

/** The id in the path is that of the connection of a run. Only the platform can sign the requests. */
const hooks = ['telegram', 'slack', 'sms', 'discord', 'sandbox'].map((platform) => ({
  ...plain('POST', `/hooks/${platform}/{id}`, {
    fields: { MessageSid: text, From: text, To: text, Body: text, NumMedia: { type: 'integer' } },
    example: {
      update_id: 1,
      type: 'event_callback',
      challenge: 'x',
      event: { type: 'message', text: 'Hello' },
      message: { message_id: 1, date: 1_700_000_000, chat: { id: 5, type: 'private' }, text: 'Hello' },
    },
  }),
  parameters: [{ name: 'id', in: 'path' as const, schema: id, example: ids.connection }],
}));
