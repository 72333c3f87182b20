import type { ApiVersion } from '../../core/versions/api-version.js';
import { dialectOf } from '../../core/versions/present.js';
import type { Route } from '../route.js';
import { errorResponses, errorSchema } from './errors.js';
import { tagDescriptions } from './notes/operations.js';
import { Operation } from './operation.js';
import { headers, listSchemasOf, parameters, securitySchemes } from './parts.js';
import { type JsonSchema, SchemaCollection } from './schemas.js';
import { collectEventFields, describeWebhooks, payloadSchemas } from './webhooks.js';

/** The OpenAPI 3.1 description of an API version. It depends only on the route table. */
export function describeApi(routes: readonly Route[], version: ApiVersion, serverUrl = '/'): JsonSchema {
  const collection = new SchemaCollection();
  const operations = routes.map((route) => new Operation(route, version, collection));
  // Collect records first, because they keep their names. Requests with other rules get other names.
  const responses = operations.map((operation) => operation.responses());
  const paths: Record<string, Record<string, JsonSchema>> = {};
  operations.forEach((operation, index) => {
    const { path, method } = operation.route;
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation.describe(responses[index] ?? {}) };
  });
  const hasEvents = collection.components.WebhookPayload !== undefined;
  const fieldsOf = hasEvents ? collectEventFields(collection) : undefined;
  // Each event has its own payload schema instead of this one.
  const { WebhookPayload: _, ...records } = collection.components;
  const components = inDialect(records, version);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Trunkline',
      version,
      description: INTRODUCTION[version],
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${serverUrl.replace(/\/$/, '')}/v${version[0]}` }],
    security: [{ apiKey: [] }],
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({
      name,
      ...(tagDescriptions[name] && { description: tagDescriptions[name] }),
    })),
    paths,
    ...(hasEvents && { webhooks: describeWebhooks(version) }),
    components: {
      securitySchemes,
      parameters,
      headers,
      responses: errorResponses(version),
      schemas: {
        Error: errorSchema(version),
        ...listSchemasOf(version),
        ...components,
        ...(fieldsOf && payloadSchemas(components, fieldsOf, version)),
      },
    },
  };
}

const COMMON = [
  'One message API in front of Telegram, Discord, Slack, SMS and other platforms.',
  'Every request carries `X-API-Key`, or a bearer token of OAuth, or both. Every operation is also available at the same path without `/v1` or `/v2`; there the query parameter `version` or the headers `X-API-Version` and `Accept-Version` select the version.',
  'Unknown fields and query parameters are refused with 400 `unknown_field`; the message suggests the nearest known one.',
  'Responses are not cached. Times are in UTC with milliseconds. An error lists its fields in `details.fields` and the reason for a refusal in `details.reason`.',
];
const INTRODUCTION: Readonly<Record<ApiVersion, string>> = {
  '1.0': [...COMMON, 'Version 1.0 is stable.'].join('\n\n'),
  '2.0': [
    ...COMMON,
    'Version 2.0 is a beta: it may change with 30 days of notice. It differs in lists (cursors only), in messages (`content`, `delivery`), in errors (`code`, `errors`), in `expand`, and in that it has no aliases.',
  ].join('\n\n'),
};

function inDialect(components: Record<string, JsonSchema>, version: ApiVersion): Record<string, JsonSchema> {
  if (version === '1.0') return components;
  return Object.fromEntries(
    Object.entries(components).map(([name, schema]) => [
      name,
      dialectOf(name)?.describe?.(schema, 'response') ?? schema,
    ]),
  );
}
