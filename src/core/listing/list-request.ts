import { type FieldCode, invalidField } from '../common/errors.js';
import type { CursorScope, Cursors } from './cursor.js';
import { readFilters } from './filter.js';
import type { ListQuery, ListSpec } from './list-spec.js';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;
const MAX_OFFSET = 50_000;
const DIGITS = /^(?:0|[1-9]\d*)$/;

/** Query parameters that every list accepts. */
export const listParameters = ['page', 'limit', 'cursor', 'sort', 'order', 'filter'] as const;

/** The blocks of the response: offset and pagination, only offset, or only pagination. */
type Envelope = 'both' | 'offset' | 'cursor';

export interface ListRequest {
  readonly query: ListQuery;
  readonly envelope: Envelope;
  readonly page: number;
  readonly scope: CursorScope;
}

/** Parses the parameters of a list. Throws `invalid_request` if a parameter is not valid. */
export function readListRequest(
  spec: ListSpec,
  scope: CursorScope,
  cursors: Cursors,
  cursorOnly = false,
): ListRequest {
  const sent = new Map(scope.parameters);
  for (const name of ['page', 'limit', 'sort', 'order', 'filter']) {
    if (scope.parameters.some((pair) => pair[0] === name && pair[1] === '')) {
      throw invalidField(name, 'invalid_value', 'Expected a value.');
    }
  }
  const envelope = envelopeOf(sent, cursorOnly);
  const limit = readNumber(sent, 'limit', MAX_LIMIT) ?? DEFAULT_LIMIT;
  const page = readPage(sent, limit);
  const query: ListQuery = {
    filter: readFilters(valuesOf(scope, 'filter'), spec),
    sort: readChoice(sent, 'sort', spec.sort),
    order: readChoice(sent, 'order', ['desc', 'asc']) as 'asc' | 'desc',
    limit,
    at: readPlace(sent.get('cursor'), page, scope, cursors),
    count: envelope !== 'cursor',
  };
  return { query, envelope, page, scope };
}

function envelopeOf(sent: ReadonlyMap<string, string>, cursorOnly: boolean): Envelope {
  if (cursorOnly && sent.has('page')) {
    throw invalidField('page', 'unsupported', 'Version 2.0 has no pages; use cursor.');
  }
  if (sent.has('page') && sent.has('cursor')) {
    throw invalidField('page', 'exclusive', 'Expected either page or cursor, not both.');
  }
  if (cursorOnly || sent.has('cursor')) return 'cursor';
  return sent.has('page') ? 'offset' : 'both';
}

function readPage(sent: ReadonlyMap<string, string>, limit: number): number {
  const page = readNumber(sent, 'page', Number.MAX_SAFE_INTEGER) ?? 1;
  if ((page - 1) * limit >= MAX_OFFSET) {
    throw invalidField(
      'page',
      'too_large',
      `Expected an offset below ${MAX_OFFSET}; use cursor to read further.`,
    );
  }
  return page;
}

function readPlace(
  cursor: string | undefined,
  page: number,
  scope: CursorScope,
  cursors: Cursors,
): ListQuery['at'] {
  if (cursor === undefined) return page === 1 ? { mode: 'first' } : { mode: 'offset', page };
  if (cursor === '') return { mode: 'first' };
  const position = cursors.open(cursor, scope);
  if (position === undefined) {
    throw invalidField(
      'cursor',
      'invalid_value',
      'Expected a cursor of this list, with the same parameters.',
    );
  }
  return position;
}

function readNumber(sent: ReadonlyMap<string, string>, name: string, maximum: number): number | undefined {
  const text = sent.get(name);
  if (text === undefined) return undefined;
  const fail = (code: FieldCode) =>
    invalidField(
      name,
      code,
      `Expected a whole number from 1${maximum === Number.MAX_SAFE_INTEGER ? '' : ` to ${maximum}`}.`,
    );
  if (!DIGITS.test(text)) throw fail('invalid_format');
  if (Number(text) < 1) throw fail('too_small');
  if (Number(text) > maximum) throw fail('too_large');
  return Number(text);
}

function readChoice(sent: ReadonlyMap<string, string>, name: string, choices: readonly string[]): string {
  const value = sent.get(name) ?? choices[0] ?? '';
  if (!choices.includes(value)) {
    throw invalidField(name, 'invalid_value', `Expected one of ${choices.join(', ')}.`);
  }
  return value;
}

function valuesOf(scope: CursorScope, name: string): string[] {
  return scope.parameters.filter((pair) => pair[0] === name).map((pair) => pair[1]);
}
