import { invalidField } from '../common/errors.js';
import { readTimestamp } from '../common/time.js';
import { FilterSyntaxError, parseFilter, type RawClause, type RawValue } from './filter-grammar.js';
import type { FilterClause, FilterOperator, FilterType, FilterValue, ListSpec } from './list-spec.js';

const MAX_CLAUSES = 10;
const MAX_CHARACTERS = 1_024;
const MIN_CONTAINS = 3;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const INTEGER = /^-?(?:0|[1-9]\d*)$/;

const OPERATOR_NAMES = { '': 'eq', '>': 'gt', '>=': 'gte', '<': 'lt', '<=': 'lte', '~': 'contains' } as const;
const ORDERED = new Set<FilterType['type']>(['int', 'number', 'timestamp']);

/** Parses all `filter` parameters of a request, which are joined by AND, and checks them against the fields of the list. */
export function readFilters(texts: readonly string[], spec: ListSpec): FilterClause[] {
  const characters = texts.reduce((sum, text) => sum + [...text].length, 0);
  if (characters > MAX_CHARACTERS)
    throw problem(`Expected at most ${MAX_CHARACTERS} characters.`, 'too_long');
  const clauses = texts.flatMap((text) => rawClauses(text));
  if (clauses.length > MAX_CLAUSES) throw problem(`Expected at most ${MAX_CLAUSES} clauses.`, 'too_many');
  return clauses.map((clause) => readClause(clause, spec));
}

function rawClauses(text: string): RawClause[] {
  try {
    return parseFilter(text);
  } catch (error) {
    if (error instanceof FilterSyntaxError) throw problem(error.message, 'malformed');
    throw error;
  }
}

function readClause({ field, negated, values }: RawClause, spec: ListSpec): FilterClause {
  const type = typeOf(field, spec);
  return { field, negated, values: values.flatMap((value) => readValues(field, type, value)) };
}

function typeOf(field: string, spec: ListSpec): FilterType {
  if (field.startsWith('metadata.') && spec.metadata) return { type: 'string', nullable: true };
  const type = Object.hasOwn(spec.filter, field) ? spec.filter[field] : undefined;
  if (type === undefined) {
    const known = Object.keys(spec.filter).join(', ');
    throw problem(
      `Cannot filter by ${field}; fields are ${known}${spec.metadata ? ', metadata.<key>' : ''}.`,
    );
  }
  return type;
}

/** The value as sent, and its stored form if that differs. */
function readValues(field: string, type: FilterType, raw: RawValue): FilterValue[] {
  const form = 'form' in type ? type.form : undefined;
  if (form === undefined || (!raw.quoted && raw.text === 'null')) return [readValue(field, type, raw)];
  const stored = readValue(field, type, { ...raw, text: form(raw.text) });
  if (type.type !== 'array' || stored.value === raw.text) return [stored];
  return [readValue(field, type, raw), stored];
}

function readValue(field: string, type: FilterType, raw: RawValue): FilterValue {
  if (raw.text === 'null' && !raw.quoted && raw.operator === '') return nullValue(field, type);
  const operator: FilterOperator = OPERATOR_NAMES[raw.operator];
  if (operator === 'contains') {
    if (type.type !== 'string') throw problem(`${field} does not support "~".`);
    if ([...raw.text].length < MIN_CONTAINS) {
      throw problem(`"~" needs at least ${MIN_CONTAINS} characters.`, 'too_short');
    }
  } else if (operator !== 'eq' && !ORDERED.has(type.type)) {
    throw problem(`${field} does not support "${raw.operator}".`);
  }
  return { operator, value: operator === 'contains' ? raw.text : readText(field, type, raw.text) };
}

function nullValue(field: string, type: FilterType): FilterValue {
  if (type.type === 'array' || type.nullable !== true) throw problem(`${field} is never null.`);
  return { operator: 'null' };
}

function readText(field: string, type: FilterType, text: string): string {
  const form = type.type === 'array' && type.of !== undefined ? type.of : type.type;
  const value = readers[form](text);
  if (value === undefined) throw problem(`${field}: expected ${expected[form]}.`, 'invalid_format');
  return value;
}

const asIs = (text: string): string => text;
const readers: Record<FilterType['type'], (text: string) => string | undefined> = {
  enum: asIs,
  string: asIs,
  array: asIs,
  uuid: (text) => (UUID.test(text) ? text.toLowerCase() : undefined),
  bool: (text) => (text === 'true' || text === 'false' ? text : undefined),
  int: (text) => (INTEGER.test(text) && Number.isSafeInteger(Number(text)) ? text : undefined),
  number: (text) => (NUMBER.test(text) && Number.isFinite(Number(text)) ? String(Number(text)) : undefined),
  timestamp: readTimestamp,
};

const expected: Record<FilterType['type'], string> = {
  enum: 'one of its values',
  string: 'text',
  array: 'an element',
  uuid: 'a UUID',
  bool: 'true or false',
  int: 'a whole number',
  number: 'a number',
  timestamp: 'an RFC 3339 date-time such as 2026-01-01T00:00:00Z',
};

function problem(message: string, code: Parameters<typeof invalidField>[1] = 'invalid_value') {
  return invalidField('filter', code, message);
}
