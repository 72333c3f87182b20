import type { Random } from './random.js';

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

export interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
  readonly description?: string;
  readonly example?: unknown;
}

interface DescribedOperation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;
  };
}

export interface ApiDocument {
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: {
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly schemas: Readonly<Record<string, Schema>>;
  };
}

/** The description of one operation, from which requests are made. */
export interface Operation {
  /** Method and path, as in the description. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly version: string;
  readonly parameters: readonly Parameter[];
  /** Its body in each of its media types. */
  readonly bodies: readonly { readonly type: string; readonly schema: Schema; readonly example: unknown }[];
  readonly resolve: (schema: Schema) => Schema;
}

/** Every operation of a description. Operations with the same path and method appear once. */
export function operationsOf(document: ApiDocument): Operation[] {
  const { parameters: shared, schemas } = document.components;
  const resolve = (schema: Schema): Schema => {
    const name = schema.$ref?.split('/').at(-1);
    return name === undefined ? schema : resolve(schemas[name] ?? {});
  };
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([verb, { parameters = [], requestBody }]) => ({
      name: `${verb.toUpperCase()} ${path}`,
      method: verb.toUpperCase(),
      path,
      version: document.info.version,
      parameters: parameters.map((one) => (one.$ref && shared[one.$ref.split('/').at(-1) ?? '']) || one),
      bodies: Object.entries(requestBody?.content ?? {}).map(([type, { schema, example }]) => ({
        type,
        schema,
        example,
      })),
      resolve,
    })),
  );
}

/** The schema that matches a value, if there are several. */
export function branchOf(schema: Schema, value: unknown, resolve: Operation['resolve']): Schema {
  const own = resolve(schema);
  const ways = own.anyOf ?? own.oneOf;
  if (ways === undefined) return own;
  const resolved = ways.map(resolve);
  return resolved.find((way) => typesOf(way).includes(kindOf(value))) ?? resolved[0] ?? {};
}

function typesOf({ type = [] }: Schema): readonly string[] {
  const types = typeof type === 'string' ? [type] : type;
  return types.includes('integer') ? [...types, 'number'] : types;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}

/** A value that nearly always fits a schema. Its ids are those of the examples. */
export function madeOf(
  schema: Schema,
  random: Random,
  resolve: Operation['resolve'],
  ids: readonly string[],
  depth = 0,
): unknown {
  const again = (inner: Schema) => madeOf(inner, random, resolve, ids, depth + 1);
  const own = resolve(schema);
  if (own.const !== undefined) return own.const;
  if (own.enum !== undefined) return random.pick(own.enum);
  const ways = own.anyOf ?? own.oneOf ?? own.allOf;
  if (ways !== undefined) return again(random.pick(ways));
  const type = typeof own.type === 'string' ? own.type : random.pick(own.type ?? ['string']);
  switch (type) {
    case 'integer':
    case 'number':
      return numberOf(own, type, random);
    case 'boolean':
      return random.chance(0.5);
    case 'null':
      return null;
    case 'array':
      return listOf(own, random, depth, again);
    case 'object':
      return objectOf(own, random, depth, again);
    default:
      return wordsOf(own, random, ids);
  }
}

function numberOf({ minimum = -1_000, maximum = 1_000 }: Schema, type: string, random: Random): number {
  const top = Math.min(maximum, minimum + 1_000);
  return type === 'integer' ? random.int(minimum, top) : minimum + random.next() * (top - minimum);
}

function listOf(own: Schema, random: Random, depth: number, make: (schema: Schema) => unknown): unknown[] {
  const length = depth > 4 ? 0 : random.int(own.minItems ?? 0, Math.min(own.maxItems ?? 3, 3));
  return Array.from({ length }, () => make(own.items ?? {}));
}

function objectOf(own: Schema, random: Random, depth: number, make: (schema: Schema) => unknown): object {
  const share = depth === 0 ? 0.35 : 0.5;
  const entries = Object.entries(own.properties ?? {})
    .filter(([name]) => own.required?.includes(name) || (depth < 5 && random.chance(share)))
    .map(([name, schema]) => [name, make(schema)]);
  const free = typeof own.additionalProperties === 'object' && depth < 4 && random.chance(0.5);
  if (free)
    entries.push([
      random.pick(['key', 'X-Custom', 'order', 'ключ']),
      make(own.additionalProperties as Schema),
    ]);
  return Object.fromEntries(entries);
}

const FORMATS: Readonly<Record<string, (random: Random, ids: readonly string[]) => string>> = {
  uuid: (random, ids) => (random.chance(0.7) ? random.pick(ids) : random.uuid()),
  'date-time': (random) =>
    random.pick(['2026-01-01T00:00:00.000Z', '2027-06-01T12:30:00+05:30', '1999-12-31T23:59:59Z']),
  uri: (random) => `https://shop.example/${random.hex(6)}`,
  email: (random) => `ann.${random.hex(6)}@shop.example`,
};
const WORDS = [
  'Hello',
  'order',
  '{{name}}',
  'en',
  '+4915123456789',
  'sent',
  'message.created',
  '09:30',
  '*bold*',
  'x',
];

function wordsOf(
  { format = '', pattern, minLength = 0, maxLength = 40 }: Schema,
  random: Random,
  ids: readonly string[],
) {
  const made = FORMATS[format]?.(random, ids);
  if (made !== undefined) return made;
  if (pattern?.includes('\\d') && random.chance(0.7)) return String(random.int(1, 20));
  const text = random.chance(0.5) ? random.pick(WORDS) : `text ${random.hex(8)}`;
  return text.padEnd(minLength, 'a').slice(0, Math.max(maxLength, 1));
}
