import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';

export type JsonSchema = { readonly [key: string]: unknown };

const DEFINITION = '#/$defs/';
const COMPONENT = '#/components/schemas/';

/** Collects the named schemas of a description. If a name has two meanings, the schema for requests gets another name. */
export class SchemaCollection {
  readonly components: Record<string, JsonSchema> = {};

  /** Converts a schema and moves its named parts to the components. */
  add(schema: z.ZodType, direction: 'request' | 'response'): JsonSchema {
    // Wrap the schema in an object, so that a named schema gets its own definition.
    const { $defs = {}, properties } = z.toJSONSchema(z.object({ value: schema }), {
      io: direction === 'request' ? 'input' : 'output',
      unrepresentable: 'any',
      // Requests with unknown fields are refused. Records may get new fields.
      override: ({ zodSchema, jsonSchema }) => {
        if (direction === 'request' && zodSchema instanceof z.ZodObject)
          jsonSchema.additionalProperties = false;
      },
    }) as unknown as { $defs?: Record<string, JsonSchema>; properties: { value: JsonSchema } };
    const names = new Map<string, string>();
    for (const [name, definition] of Object.entries($defs)) {
      names.set(name, this.nameFor(name, definition, direction, $defs));
    }
    for (const [name, definition] of Object.entries($defs)) {
      this.components[names.get(name) ?? name] = isUnnamed(name)
        ? ANY_JSON
        : renamed(clean(definition), names);
    }
    return renamed(clean(properties.value), names);
  }

  private nameFor(
    name: string,
    definition: JsonSchema,
    direction: 'request' | 'response',
    all: Record<string, JsonSchema>,
  ): string {
    if (isUnnamed(name)) return 'JsonValue';
    const present = this.components[name];
    if (direction === 'response' || present === undefined) return name;
    const plain = new Map(Object.keys(all).map((other) => [other, other]));
    return isDeepStrictEqual(present, renamed(clean(definition), plain)) ? name : `${name}Input`;
  }
}

/**
 * The schema of `z.json()`, which is the only recursive schema without a name. Generators of types fail when it is written in
 * full.
 */
const ANY_JSON = { description: 'Any JSON value.' };

function isUnnamed(name: string): boolean {
  return name.startsWith('__schema');
}

function clean({ id: _id, $schema: _schema, ...schema }: JsonSchema): JsonSchema {
  return schema;
}

function renamed(schema: JsonSchema, names: ReadonlyMap<string, string>): JsonSchema {
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key,
        key === '$ref' && typeof item === 'string' && item.startsWith(DEFINITION)
          ? COMPONENT + (names.get(item.slice(DEFINITION.length)) ?? item.slice(DEFINITION.length))
          : walk(item),
      ]),
    );
  };
  return walk(schema) as JsonSchema;
}
