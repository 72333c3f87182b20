import type { ListSpec } from '../../core/listing/list-spec.js';
import type { ApiVersion } from '../../core/versions/api-version.js';

/** Parts of the description that all operations share. */

const text = { type: 'string' } as const;
const query = (name: string, schema: object, description: string) => ({
  name,
  in: 'query',
  schema,
  description,
});

export const securitySchemes = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description:
      'A key of the workspace, made in the dashboard; one that begins with `tl_test_` selects the sandbox. It can be combined with a token: then both must allow the operation, and the token determines the acting user.',
  },
  oauth: {
    type: 'oauth2',
    description:
      'For apps that act for a user, within the conversations of that user. PKCE with S256 is required.',
    flows: {
      authorizationCode: {
        authorizationUrl: '/oauth/authorize',
        tokenUrl: '/oauth/token',
        refreshUrl: '/oauth/token',
        scopes: {
          'user.read': 'read user profile information',
          'messages.read': 'read user conversations and messages',
          'messages.write': 'send messages on behalf of the user',
          'calls.read': 'read user call history',
          'calls.write': 'initiate calls on behalf of the user',
        },
      },
    },
  },
};

const versionName = { type: 'string', enum: ['1', '1.0', 'v1', '2', '2.0', 'v2'] };

/** Parameters that every operation takes, by their component names. */
export const parameters = {
  Version: query('version', versionName, 'Version of the API; takes precedence over both headers'),
  ApiVersion: {
    name: 'X-API-Version',
    in: 'header',
    schema: versionName,
    description: 'Version of the API; takes precedence over Accept-Version',
  },
  AcceptVersion: {
    name: 'Accept-Version',
    in: 'header',
    schema: versionName,
    description: 'Version of the API',
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,128}$' },
    description: 'Repeated in the response and in the log; generated if missing',
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    description:
      'Of any number of requests with one key, exactly one takes effect; the others get its response. Kept for 24 hours',
    example: 'order-4711-confirmation',
  },
};

export const parameterRefs = (...names: (keyof typeof parameters)[]) =>
  names.map((name) => ({ $ref: `#/components/parameters/${name}` }));

const header = (schema: object, description: string) => ({ schema, description });
export const headers = {
  'X-Request-Id': header(text, 'Id of the request'),
  'X-API-Version': header({ type: 'string', enum: ['1.0', '2.0'] }, 'Effective version'),
  'X-RateLimit-Limit': header({ type: 'integer' }, 'Requests allowed per hour'),
  'X-RateLimit-Remaining': header({ type: 'integer' }, 'Requests left in the current hour'),
  'X-RateLimit-Reset': header({ type: 'integer' }, 'Unix time of the next full hour'),
  'Retry-After': header({ type: 'integer', minimum: 1 }, 'Seconds to wait'),
  'WWW-Authenticate': header(text, '`ApiKey`, or `Bearer error="invalid_token"` when a token was sent'),
  'Idempotent-Replayed': header({ type: 'string', const: 'true' }, 'The stored answer of an earlier request'),
};

export const headerRefs = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
export const answerHeaders = headerRefs(
  'X-Request-Id',
  'X-API-Version',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
);

export function listParametersOf(spec: ListSpec, version: ApiVersion) {
  const page = query('page', { type: 'integer', minimum: 1, default: 1 }, 'Page by offset; not with cursor');
  return [
    ...(version === '1.0' ? [page] : []),
    query('limit', { type: 'integer', minimum: 1, maximum: 100, default: 20 }, 'Items per page'),
    query('cursor', text, 'Opaque; the empty string is the first page'),
    query('sort', { type: 'string', enum: spec.sort, default: spec.sort[0] }, 'Field to sort by'),
    query(
      'order',
      { type: 'string', enum: ['asc', 'desc'], default: 'desc' },
      'Direction; ties are broken by id',
    ),
    {
      ...query(
        'filter',
        { type: 'array', items: text },
        `field:value clauses, all of which must hold; \`|\` between values, \`-\` before a clause negates it; fields: ${filterFields(spec)}`,
      ),
      explode: true,
      ...(spec.filter.created_at && { example: ['created_at:>=2026-01-01T00:00:00Z'] }),
    },
  ];
}

function filterFields(spec: ListSpec): string {
  return [...Object.keys(spec.filter), ...(spec.metadata ? ['metadata.<key>'] : [])].join(', ');
}

const nullable = { type: ['string', 'null'] };
const object = (properties: object) => ({ type: 'object', properties, required: Object.keys(properties) });
const integer = { type: 'integer', minimum: 0 };

/** Named parts of a list response. */
const offsetBlocks = {
  ListMeta: object({
    current_page: integer,
    total_pages: integer,
    total_items: integer,
    items_per_page: integer,
  }),
  ListLinks: object({ first: text, last: text, prev: nullable, next: nullable }),
};
const cursorBlock = {
  Pagination: object({
    nextCursor: nullable,
    prevCursor: nullable,
    limit: integer,
    hasMore: { type: 'boolean' },
  }),
};

export function listSchemasOf(version: ApiVersion) {
  return version === '1.0' ? { ...offsetBlocks, ...cursorBlock } : cursorBlock;
}

export function listSchema(item: object, version: ApiVersion) {
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const data = { type: 'array', items: item };
  const pagination = ref('Pagination');
  if (version === '2.0')
    return { type: 'object', properties: { data, pagination }, required: ['data', 'pagination'] };
  const properties = { data, meta: ref('ListMeta'), links: ref('ListLinks'), pagination };
  return { type: 'object', properties, required: ['data'] };
}
