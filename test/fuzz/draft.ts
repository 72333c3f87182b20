import { ids } from '../../src/http/openapi/examples/ids.js';
import { madeOf, type Operation, type Parameter, type Schema } from './description.js';
import { formOf, type Part } from './form.js';
import type { Random } from './random.js';
import { Branch, type Tree, treeOf } from './tree.js';

/** A request during mutation. All fields except the body are as they will be sent. */
export interface Draft {
  readonly operation: Operation;
  method: string;
  prefix: string;
  /** Percent-encoded. */
  segments: string[];
  /** Percent-encoded. */
  query: [name: string, value: string][];
  headers: [name: string, value: string][];
  contentType: string | undefined;
  body: { readonly schema: Schema; tree: Tree } | undefined;
  /** The encoding of a body that is not multipart. */
  encoding: 'json' | 'form';
  form: { parts: Part[]; boundary: string; end: string } | undefined;
  /** Changes to the bytes of the body after encoding. */
  readonly garbled: ((bytes: Buffer) => Buffer)[];
  chunked: boolean;
}

const EXAMPLES = Object.values(ids);

/** A request as a correct client may send it. */
export function draftOf(operation: Operation, random: Random): Draft {
  const of = (place: Parameter['in']) => operation.parameters.filter((one) => one.in === place);
  const prefixes: Readonly<Record<string, readonly string[]>> = { '2.0': ['/v2'], '1.0': ['/v1', '/v1', ''] };
  const prefix = random.pick(prefixes[operation.version] ?? ['']);
  const draft: Draft = {
    operation,
    method: operation.method,
    prefix,
    segments: operation.path
      .slice(1)
      .split('/')
      .map((segment) => filled(segment, of('path'), random)),
    query: of('query').flatMap((one) => queryOf(one, random)),
    headers: of('header').flatMap((one) => headerOf(one, random)),
    contentType: undefined,
    body: undefined,
    encoding: 'json',
    form: undefined,
    garbled: [],
    chunked: false,
  };
  addBody(draft, random);
  return draft;
}

function filled(segment: string, parameters: readonly Parameter[], random: Random): string {
  const name = /^\{(\w+)\}$/.exec(segment)?.[1];
  if (name === undefined) return segment;
  const parameter = parameters.find((one) => one.name === name);
  const known = parameter?.example === undefined ? random.pick(EXAMPLES) : String(parameter.example);
  // About half of the named records exist.
  return encodeURIComponent(
    random.chance(0.75) ? known : random.pick([random.uuid(), random.pick(EXAMPLES), known]),
  );
}

const SELECTORS = /^(version|X-API-Version|Accept-Version)$/;

function queryOf(one: Parameter, random: Random): [string, string][] {
  if (SELECTORS.test(one.name)) return [];
  if (!one.required && !random.chance(0.25)) return [];
  if (one.name === 'filter') return [[one.name, encodeURIComponent(filterOf(one, random))]];
  if (one.name === 'cursor') return [['cursor', '']];
  const value = random.chance(0.5) ? one.example : undefined;
  const made = value ?? madeOf(one.schema, random, (schema) => schema, EXAMPLES);
  return [made].flat().map((each) => [one.name, encodeURIComponent(String(each))]);
}

const FILTER_VALUES = [
  'active',
  'sent',
  'open|pending',
  'null',
  '~"hello, world"',
  '~abc',
  '>=2026-01-01T00:00:00Z',
  '<5',
  'true',
  '42',
  '"a\\"b"',
  'telegram',
  '>1e308',
  '>9223372036854775807',
  '99999999999999999999',
  '>=0001-01-01T00:00:00Z',
  '>-1',
  '~%_%',
  '~\\\\\\',
  '1.5',
  '"null"',
];

/** One to three clauses about the fields that the description names. */
export function filterOf({ description = '' }: Parameter, random: Random): string {
  const names = (description.split('fields: ')[1] ?? 'id').split(', ');
  const clause = () => {
    const name = random.pick(names).replace('<key>', random.pick(['order', 'a.b', '__proto__', '-']));
    const value = random.chance(0.2) ? random.pick(EXAMPLES) : random.pick(FILTER_VALUES);
    return `${random.chance(0.2) ? '-' : ''}${name}:${value}`;
  };
  return Array.from({ length: random.pick([1, 1, 1, 2, 3]) }, clause).join(',');
}

function headerOf({ name }: Parameter, random: Random): [string, string][] {
  if (name === 'Idempotency-Key' && random.chance(0.2)) return [[name, `key-${random.int(0, 999)}`]];
  if (name === 'Last-Event-ID' && random.chance(0.5)) return [[name, String(random.int(0, 500))]];
  return [];
}

function addBody(draft: Draft, random: Random): void {
  const { bodies, resolve } = draft.operation;
  if (bodies.length === 0) return;
  const { type, schema, example } = random.pick(bodies);
  if (type === 'multipart/form-data') {
    draft.form = formOf(example, random);
    draft.contentType = `${type}; boundary=${draft.form.boundary}`;
    return;
  }
  draft.contentType = type;
  draft.encoding = type === 'application/x-www-form-urlencoded' ? 'form' : 'json';
  const made = madeOf(schema, random, resolve, EXAMPLES);
  const way = random.next();
  const tree = treeOf(way < 0.15 || example === undefined ? made : example);
  if (way > 0.7 && tree instanceof Branch) addOptional(tree, made);
  draft.body = { schema, tree };
}

/** Adds optional fields of the schema to the example. */
function addOptional(tree: Branch, made: unknown): void {
  for (const [name, value] of Object.entries(made as object)) {
    if (tree.get(name) === undefined) tree.entries.push([name, treeOf(value)]);
  }
}
