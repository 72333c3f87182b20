import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { apiDocument } from '../../../../src/app/documents/api-document.js';

describe('The description kept in docs/api', () => {
  test.each([
    ['1.0', 'docs/api/openapi.json'],
    ['2.0', 'docs/api/openapi-2.0.json'],
  ] as const)('of version %s is what the service serves (npm run docs writes it)', (version, file) => {
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(JSON.stringify(apiDocument(version))));
  });

  test('names every operation of the route table once', () => {
    const { paths } = apiDocument('1.0') as {
      paths: Record<string, Record<string, { operationId?: string }>>;
    };
    const operations = Object.values(paths).flatMap((path) => Object.values(path));
    expect(operations.length).toBeGreaterThan(40);
    expect(new Set(operations.map((operation) => operation.operationId)).size).toBe(operations.length);
  });
});

type Schema = { readonly [key: string]: unknown };

describe('The OpenAPI document', () => {
  test.each(['1.0', '2.0'] as const)(
    'of version %s describes every request field and parameter',
    (version) => {
      const fields = requestFields(apiDocument(version) as unknown as Schema);
      expect(fields.length).toBeGreaterThan(350);
      expect(fields.filter(({ schema }) => !isSentence(schema.description)).map(({ name }) => name)).toEqual(
        [],
      );
    },
  );

  test('gives a field the description of its own resource, of its parent, or of its name', () => {
    const fields = requestFields(apiDocument('1.0') as unknown as Schema);
    const said = (name: string) => fields.find((field) => field.name === name)?.schema.description;
    expect(said('post /openapi/messages ttl_seconds')).toMatch(/60 to 604,800. Default 86,400/);
    expect(said('post /openapi/conversations message.ttl_seconds')).toBe(
      said('post /openapi/messages ttl_seconds'),
    );
    expect(said('post /openapi/conversations title')).toBe('Title, up to 256 characters.');
    expect(said('post /openapi/conversations links.title')).toMatch(/^Name of the chat/);
    expect(said('post /openapi/broadcasts audience.exclude.user_ids')).toMatch(/excluded/);
    expect(said('post /api/webhooks url')).toMatch(/receives the events/);
    expect(said('get /openapi/deliveries/{id} id')).toBe('Id of the delivery.');
    expect(said('get /openapi/conversations/{id} id')).toBe('Id or number of the conversation.');
    expect(said('get /openapi/locations from')).toMatch(/at this time or later/);
  });
});

const isSentence = (text: unknown) => typeof text === 'string' && text.length > 5;

interface Field {
  name: string;
  schema: Schema;
}

/** Every path and query parameter and every field of every request body, by its operation and its path. */
function requestFields(document: Schema): Field[] {
  const resolve = (schema: Schema): Schema =>
    typeof schema.$ref === 'string'
      ? (schema.$ref
          .slice(2)
          .split('/')
          .reduce((node, key) => node[key] as Schema, document) as Schema)
      : schema;
  const fieldsOf = (schema: Schema, path: string): Field[] => {
    const {
      properties = {},
      items,
      ...rest
    } = resolve(schema) as Schema & { properties?: Record<string, Schema> };
    const branches = ['anyOf', 'oneOf', 'allOf'].flatMap((key) => (rest[key] as Schema[] | undefined) ?? []);
    const own = Object.entries(properties).filter(([, field]) => field !== undefined);
    return [
      ...branches.flatMap((branch) => fieldsOf(branch, path)),
      ...(items ? fieldsOf(items as Schema, path) : []),
      ...own.flatMap(([name, field]) => {
        const inner = path.endsWith(' ') ? `${path}${name}` : `${path}.${name}`;
        return [{ name: inner, schema: field }, ...fieldsOf(field, inner)];
      }),
    ];
  };
  const parametersOf = (operation: Schema, name: string): Field[] =>
    ((operation.parameters ?? []) as Schema[])
      .map(resolve)
      .filter((parameter) => parameter.in !== 'header')
      .map((parameter) => ({
        name: `${name} ${parameter.name}`,
        schema: { description: parameter.description ?? (parameter.schema as Schema).description },
      }));
  return Object.entries(document.paths as Record<string, Record<string, Schema>>).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) => {
      const name = `${method} ${path}`;
      const { content = {} } = (operation.requestBody ?? {}) as {
        content?: Record<string, { schema: Schema }>;
      };
      const bodies = Object.values(content).flatMap(({ schema }) => fieldsOf(schema, `${name} `));
      return [...parametersOf(operation, name), ...bodies];
    }),
  );
}
