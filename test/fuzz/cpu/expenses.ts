import type { Schema } from '../description.js';
import type { Random } from '../random.js';
import { Branch, Raw, type Tree, textOf } from '../tree.js';
import { repeats } from './repeats.js';

/** The largest JSON body, with room for the text around the value. */
export const BODY_BYTES = 1_048_576 - 8_192;
const HEX = 16;

/** A value that costs time to read, in any size. */
export interface Expense {
  readonly name: string;
  readonly ofSize: (bytes: number) => Tree;
}

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: Math.max(1, Math.floor(count)) }, (_, index) => make(index));

const object = (entries: readonly string[]) => new Raw(`{${entries.join(',')}}`);
const list = (items: readonly string[]) => new Raw(`[${items.join(',')}]`);
/** As many of an item as fit. */
const filled = (bytes: number, item: string) => times(bytes / (item.length + 1), () => item);
const id = (index: number) => `019b76da-a800-7000-9000-${index.toString(HEX).padStart(12, '0')}`;

/** Values of every kind that no schema expects. The service must still read them to refuse them. */
const SHAPES: readonly Expense[] = [
  { name: 'names', ofSize: (bytes) => object(times(bytes / 10, (at) => `"k${at}":0`)) },
  {
    name: 'long names',
    ofSize: (bytes) => object(times(bytes / 300, (at) => `"${at}${'k'.repeat(290)}":0`)),
  },
  { name: 'objects by names', ofSize: (bytes) => object(times(bytes / 16, (at) => `"${at}":{"a":1}`)) },
  { name: 'one name', ofSize: (bytes) => object(filled(bytes, '"a":0')) },
  { name: 'names with dots', ofSize: (bytes) => object(times(bytes / 14, (at) => `"a.b.${at}":0`)) },
  {
    name: 'names with escapes',
    ofSize: (bytes) => object(times(bytes / 20, (at) => `"\\u00e9${at}":"\\u00e9"`)),
  },
  { name: 'empty objects', ofSize: (bytes) => list(filled(bytes, '{}')) },
  { name: 'empty lists', ofSize: (bytes) => list(filled(bytes, '[]')) },
  { name: 'empty texts', ofSize: (bytes) => list(filled(bytes, '""')) },
  { name: 'nulls', ofSize: (bytes) => list(filled(bytes, 'null')) },
  { name: 'numbers', ofSize: (bytes) => list(filled(bytes, '0')) },
  { name: 'texts', ofSize: (bytes) => list(times(bytes / 10, (at) => `"t${at}"`)) },
  { name: 'ids', ofSize: (bytes) => list(times(bytes / 39, (at) => `"${id(at)}"`)) },
  { name: 'one id', ofSize: (bytes) => list(times(bytes / 39, () => `"${id(0)}"`)) },
  { name: 'wildcards', ofSize: (bytes) => list(filled(bytes, '"message.*"')) },
  { name: 'objects', ofSize: (bytes) => list(times(bytes / 14, (at) => `{"a${at}":1}`)) },
  { name: 'nested lists', ofSize: (bytes) => new Raw(`${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}`) },
  {
    name: 'nested objects',
    ofSize: (bytes) => new Raw(`${'{"a":'.repeat(bytes / 6)}1${'}'.repeat(bytes / 6)}`),
  },
  { name: 'lists 30 deep', ofSize: (bytes) => list(filled(bytes, `${'['.repeat(29)}${']'.repeat(29)}`)) },
  {
    name: 'objects 30 deep',
    ofSize: (bytes) => list(filled(bytes, `${'{"a":'.repeat(29)}1${'}'.repeat(29)}`)),
  },
  { name: 'a long number', ofSize: (bytes) => new Raw('1'.repeat(bytes)) },
  { name: 'a long fraction', ofSize: (bytes) => new Raw(`0.${'1'.repeat(bytes)}`) },
  { name: 'blanks', ofSize: (bytes) => new Raw(`${' '.repeat(bytes)}0`) },
  { name: 'escapes', ofSize: (bytes) => new Raw(`"${'\\u0061'.repeat(bytes / 6)}"`) },
  { name: 'half pairs', ofSize: (bytes) => new Raw(`"${'\\ud83d'.repeat(bytes / 6)}"`) },
];

/** A value for one place of a body. It either fits the schema or not. */
export function expenseFor(schema: Schema, value: Tree, random: Random): Expense {
  if (random.chance(0.4)) return random.pick(SHAPES);
  if (Array.isArray(value)) return manyOf(schema, value, random);
  if (typeof value === 'string' || schema.type === 'string') return longText(schema, random);
  if (value instanceof Branch && random.chance(0.5)) return manyMore(value, random);
  return random.pick(SHAPES);
}

function longText({ maxLength = BODY_BYTES }: Schema, random: Random): Expense {
  const { name, ofSize } = random.pick(repeats);
  const isLegal = random.chance(0.7);
  const cut = isLegal ? maxLength : BODY_BYTES;
  return {
    name: `${isLegal ? 'legal' : 'long'} text ${name}`,
    // An escape takes up to six bytes.
    ofSize: (bytes) => [...ofSize(bytes / 2)].slice(0, cut).join(''),
  };
}

/** The item that the list already has. Ids in it may differ. */
function manyOf({ maxItems = BODY_BYTES }: Schema, value: readonly Tree[], random: Random): Expense {
  const item = value[0] === undefined ? '""' : textOf(value[0]);
  const isLegal = random.chance(0.6);
  const differs = random.chance(0.5);
  const maxLength = isLegal ? maxItems : BODY_BYTES;
  return {
    name: `${isLegal ? 'legal' : 'long'} list of ${differs ? 'different' : 'the same'} items`,
    ofSize: (bytes) =>
      list(
        times(Math.min(bytes / (item.length + 1), maxLength), (at) => (differs ? distinct(item, at) : item)),
      ),
  };
}

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;

function distinct(item: string, index: number): string {
  if (ID.test(item)) return item.replace(ID, id(index));
  return item.startsWith('"') ? `${item.slice(0, -1)}${index}"` : item;
}

/** The existing fields of an object, and as many names as fit. */
function manyMore(value: Branch, random: Random): Expense {
  const maxNames = random.pick([48, BODY_BYTES]);
  return {
    name: `${maxNames === BODY_BYTES ? 'many' : 'some'} more names`,
    ofSize: (bytes) => {
      const count = Math.min(bytes / 12, maxNames);
      const size = Math.max(1, Math.floor(bytes / count) - 10);
      const text = maxNames === BODY_BYTES ? 'x' : 'x'.repeat(Math.min(size, 70));
      const more = times(count, (at): [string, Tree] => [`k${at}`, text]);
      return new Branch([...value.entries, ...more]);
    },
  };
}
