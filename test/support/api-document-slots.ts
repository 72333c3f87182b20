import type { Route } from '../../src/http/route.js';
import type { Json } from './api-client.js';

/** The parts of the served description that concern requests. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Json;
}

interface Operation {
  readonly parameters?: readonly Schema[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

interface Schema {
  readonly $ref?: string;
  readonly in?: string;
  readonly name?: string;
  readonly schema?: Schema;
  readonly format?: string;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

const DEEPEST = 10;

/** Fields of the route's JSON body that take an id, such as `links[].connection_id`. */
export function bodySlots(document: ApiDocument, route: Route): string[] {
  const schema = operationOf(document, route).requestBody?.content['application/json']?.schema;
  return schema === undefined ? [] : [...new Set(idsIn(document, schema, '', 0))];
}

/** Query parameters that take an id. */
export function querySlots(document: ApiDocument, route: Route): string[] {
  const { parameters = [] } = operationOf(document, route);
  return parameters
    .map((parameter) => resolve(document, parameter))
    .filter(({ in: place, schema = {} }) => place === 'query' && idsIn(document, schema, 'it', 0).length > 0)
    .map(({ name = '' }) => name);
}

function operationOf(document: ApiDocument, { method, path }: Route): Operation {
  const operation = document.paths[path]?.[method.toLowerCase()];
  if (operation === undefined) throw new Error(`${method} ${path} is not described.`);
  return operation;
}

function idsIn(document: ApiDocument, schema: Schema, path: string, depth: number): string[] {
  if (depth > DEEPEST) return [];
  const { format, anyOf = [], oneOf = [], allOf = [], items, properties = {} } = resolve(document, schema);
  const inner = (part: Schema, at: string) => idsIn(document, part, at, depth + 1);
  return [
    ...(format === 'uuid' ? [path] : []),
    ...[...anyOf, ...oneOf, ...allOf].flatMap((part) => inner(part, path)),
    ...(items === undefined ? [] : inner(items, `${path}[]`)),
    ...Object.entries(properties).flatMap(([name, part]) =>
      inner(part, path === '' ? name : `${path}.${name}`),
    ),
  ];
}

function resolve(document: ApiDocument, schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const keys = schema.$ref.slice('#/'.length).split('/');
  const found = keys.reduce<unknown>(
    (part, key) => (part as Json)[key.replaceAll('~1', '/').replaceAll('~0', '~')],
    document,
  );
  return resolve(document, found as Schema);
}
