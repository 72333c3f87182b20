import { ids } from '../../src/http/openapi/examples/ids.js';
import type { Schema } from './description.js';
import { type Draft, filterOf } from './draft.js';
import { FORM_SPOILS } from './form.js';
import {
  FILTERS,
  GARBLES,
  HEADERS,
  HIDDEN,
  LIST_NAMES,
  METHODS,
  PATH_PIECES,
  QUERY_VALUES,
  TYPES,
} from './odd-requests.js';
import {
  BROKEN_TEXTS,
  flood,
  nested,
  ODD_NUMBERS,
  ODD_TEXTS,
  ofAnotherType,
  ZERO_TEXTS,
} from './oddities.js';
import { type Place, placesOf } from './places.js';
import type { Random } from './random.js';
import { Branch, Raw, type Tree, textOf } from './tree.js';

/** One way to make a request invalid, or at least unusual. */
export interface Mutation {
  readonly name: string;
  readonly fits: (draft: Draft) => boolean;
  readonly apply: (draft: Draft, random: Random) => void;
}

const hasTree = ({ body }: Draft) => body !== undefined;
const hasBody = ({ body, form }: Draft) => body !== undefined || form !== undefined;
const always = () => true;

/** A mutation of one value of a JSON body. */
function ofValue(name: string, change: (place: Place, random: Random) => void): Mutation {
  return {
    name,
    fits: hasTree,
    apply: ({ body, operation }, random) => {
      if (body) change(random.pick(placesOf(body, operation.resolve)), random);
    },
  };
}

const put = (make: (place: Place, random: Random) => Tree) => (place: Place, random: Random) =>
  place.put(make(place, random));

/** Values at the limits of the allowed range, and one step beyond. */
function atBound(
  { minLength, maxLength, minItems, maxItems, minimum, maximum }: Schema,
  value: Tree,
  random: Random,
): Tree {
  const made: Tree[] = [];
  for (const length of [minLength, maxLength]) {
    if (length !== undefined && length < 100_000) {
      made.push(
        'x'.repeat(length),
        'x'.repeat(length + 1),
        '\u{1f600}'.repeat(length),
        'x'.repeat(Math.max(length - 1, 0)),
      );
    }
  }
  for (const length of [minItems, maxItems]) {
    if (length === undefined) continue;
    const item = Array.isArray(value) ? (value[0] ?? 'x') : 'x';
    for (const items of [length, length + 1, Math.max(length - 1, 0)])
      made.push(Array.from({ length: items }, () => item));
  }
  for (const number of [minimum, maximum])
    if (number !== undefined) made.push(number, number + 1, number - 1, number + 0.5);
  return made.length > 0 ? random.pick(made) : random.pick([0, -1, '', [], Number.MAX_SAFE_INTEGER]);
}

function twice({ parent, name, value, put: replace }: Place, random: Random): void {
  if (parent === undefined) return replace(value);
  const other = random.chance(0.5) ? new Raw(textOf(value)) : ofAnotherType(random);
  parent.entries.push([random.pick([name, name, `${name} `, name.toUpperCase()]), other]);
}

function hidden({ value, put: replace }: Place, random: Random): void {
  const item = random.pick<Tree>([null, 1, new Raw('{"admin":true}'), 'x', []]);
  if (value instanceof Branch) value.entries.push([random.pick(HIDDEN), item]);
  else replace(new Branch([[random.pick(HIDDEN), item]]));
}

function missing({ parent, name, put: replace }: Place): void {
  const at = parent?.entries.findIndex(([own]) => own === name) ?? -1;
  if (parent && at >= 0) parent.entries.splice(at, 1);
  else replace(null);
}

function unknown({ value, put: replace }: Place, random: Random): void {
  const names = [
    'id',
    'workspace_id',
    'created_at',
    'status',
    'nope',
    '',
    'ключ',
    'k'.repeat(5_000),
    'a.b',
    'a\u0000b',
  ];
  if (value instanceof Branch) value.entries.push([random.pick(names), ofAnotherType(random)]);
  else replace(ofAnotherType(random));
}

function spoilPath(draft: Draft, random: Random): void {
  const { segments } = draft;
  const at = random.chance(0.75) ? variableSegment(draft, random) : random.int(0, segments.length - 1);
  switch (random.int(0, 9)) {
    case 0:
      segments.splice(at, 0, random.pick(PATH_PIECES));
      break;
    case 1:
      segments.push(random.pick(PATH_PIECES));
      break;
    case 2:
      segments[at] = (segments[at] ?? '').toUpperCase();
      break;
    case 3:
      draft.prefix = random.pick([
        '/v3',
        '/v0',
        '/V1',
        '/v01',
        '/v1/v2',
        '/',
        '//',
        '/v18446744073709551616',
        '',
      ]);
      break;
    default:
      segments[at] = random.pick(PATH_PIECES);
  }
}

/** The place of a path parameter, else the last segment. */
function variableSegment({ operation, segments }: Draft, random: Random): number {
  const variable = operation.path
    .slice(1)
    .split('/')
    .flatMap((segment, at) => (segment.startsWith('{') ? [at] : []));
  return variable.length > 0 ? random.pick(variable) : segments.length - 1;
}

function spoilQuery(draft: Draft, random: Random): void {
  const { query, operation } = draft;
  const filter = operation.parameters.find(({ name }) => name === 'filter');
  if (filter && random.chance(0.45)) {
    const text = random.chance(0.7)
      ? random.pick(FILTERS)
      : `${filterOf(filter, random)}${random.pick([',', '|', '"', ',id', ':'])}`;
    query.push(['filter', encodeURIComponent(text)]);
    return;
  }
  const own = operation.parameters.filter((one) => one.in === 'query').map(({ name }) => name);
  const name = random.pick([...own, ...own, ...LIST_NAMES]);
  query.push([name, random.pick(QUERY_VALUES)]);
  if (random.chance(0.15)) query.push([name, random.pick(QUERY_VALUES)]);
  if (random.chance(0.02))
    query.push(...Array.from({ length: 600 }, (_, at): [string, string] => [`p${at}`, '1']));
}

function spoilHeaders({ headers }: Draft, random: Random): void {
  const [name, values] = random.pick(HEADERS);
  headers.push([name, random.pick(values)]);
  if (random.chance(0.1)) headers.push([name, random.pick(values)]);
  if (random.chance(0.03))
    headers.push(
      ...Array.from({ length: random.pick([150, 1_500]) }, (_, at): [string, string] => [`X-${at}`, 'z']),
    );
}

/** Each kind by its name. */
export const mutations: readonly Mutation[] = [
  ofValue(
    'type',
    put((_place, random) => ofAnotherType(random)),
  ),
  ofValue(
    'bounds',
    put(({ schema, value }, random) => atBound(schema, value, random)),
  ),
  ofValue(
    'unicode',
    put((_place, random) => random.pick(ODD_TEXTS)),
  ),
  ofValue(
    'surrogate',
    put((_place, random) => new Raw(random.pick(BROKEN_TEXTS))),
  ),
  ofValue(
    'nul',
    put((_place, random) => new Raw(random.pick(ZERO_TEXTS))),
  ),
  ofValue(
    'nesting',
    put((_place, random) => nested(random)),
  ),
  ofValue('duplicate', twice),
  ofValue(
    'number',
    put((_place, random) => new Raw(random.pick(ODD_NUMBERS))),
  ),
  ofValue(
    'flood',
    put(({ value }, random) =>
      random.chance(0.5) ? flood(value, random) : 'x'.repeat(random.pick([300, 5_000])),
    ),
  ),
  ofValue('hidden name', hidden),
  ofValue('missing', missing),
  ofValue('unknown', unknown),
  ofValue(
    'other record',
    put((_place, random) => random.pick([random.pick(Object.values(ids)), random.uuid()])),
  ),
  {
    name: 'content type',
    fits: hasBody,
    apply: (draft, random) => {
      draft.contentType = random.chance(0.1) ? undefined : random.pick(TYPES);
    },
  },
  {
    name: 'bytes',
    fits: hasBody,
    apply: ({ garbled }, random) => {
      const garble = random.pick(GARBLES);
      garbled.push((bytes) => garble(bytes, random));
    },
  },
  {
    name: 'body where none belongs',
    fits: ({ body, form, operation }) =>
      body === undefined && form === undefined && operation.path !== '/openapi/rtc',
    apply: (draft, random) => {
      draft.contentType = random.pick(['application/json', 'multipart/form-data; boundary=b', 'text/plain']);
      draft.body = {
        schema: {},
        tree: random.pick<Tree>([new Raw('{'), nested(random), new Raw('{"a":1}'), 'text', flood(1, random)]),
      };
    },
  },
  {
    name: 'chunks',
    fits: hasBody,
    apply: (draft) => {
      draft.chunked = true;
    },
  },
  {
    name: 'form',
    fits: ({ form }) => form !== undefined,
    apply: ({ form }, random) => {
      if (form) random.pick(FORM_SPOILS)(form, random);
    },
  },
  { name: 'path', fits: always, apply: spoilPath },
  { name: 'query', fits: always, apply: spoilQuery },
  { name: 'header', fits: always, apply: spoilHeaders },
  {
    name: 'method',
    fits: always,
    apply: (draft, random) => {
      draft.method = random.pick(METHODS);
    },
  },
];
