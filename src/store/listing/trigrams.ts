import type { FilterClause, FilterValue } from '../../core/listing/list-spec.js';

/** Number of consecutive letters that are hashed together. Shorter texts are not searched for. */
const LENGTH = 3;
/** Maximum number of different hashes per batch. A batch with more hashes would match every search. */
const MAX_TRIGRAMS = 50_000;
const METADATA = 'metadata.';

/** A field of a record with its value and its lower-case value. */
export interface FieldValue {
  readonly field: string;
  readonly value: string;
  readonly lower: string;
}

/**
 * Hashes of the values in the records of a list. A value that contains a text has all hashes of that text. The database makes the
 * lower-case values, because it compares them with its own. Each workspace has its own hashes.
 */
export class Trigrams {
  readonly #found = new Set<number>();

  constructor(
    private readonly workspaceId: string,
    private readonly list: string,
  ) {}

  /** Adds the hashes that each value has if it contains this text. */
  part(field: string, lower: string): this {
    const seed = this.#seed('part', field);
    for (let at = 0; at + LENGTH <= lower.length; at += 1) {
      let hash = seed;
      for (let n = 0; n < LENGTH; n += 1) {
        hash = Math.imul(hash ^ lower.charCodeAt(at + n), 0x85ebca6b);
        hash ^= hash >>> 15;
      }
      this.#found.add(hash | 0);
    }
    return this;
  }

  value(field: string, value: string): this {
    this.#found.add(this.#seed('value', field, value));
    return this;
  }

  present(field: string): this {
    this.#found.add(this.#seed('present', field));
    return this;
  }

  /** Adds all hashes by which a record with this value can be found. */
  record({ field, value, lower }: FieldValue): this {
    if (field.startsWith(METADATA)) this.present(field);
    return this.value(field, value).part(field, lower);
  }

  /** In ascending order. Null when there are too many. */
  get hashes(): number[] | null {
    return this.#found.size > MAX_TRIGRAMS ? null : [...this.#found].sort((a, b) => a - b);
  }

  #seed(...words: readonly string[]): number {
    let hash = 0x811c9dc5;
    for (const word of [this.workspaceId, this.list, ...words]) {
      for (let at = 0; at < word.length; at += 1) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
      hash = Math.imul(hash ^ 0xff, 0x01000193);
    }
    return hash;
  }
}

/** The list that is searched, and its indexed fields in addition to metadata. */
export interface Searched {
  readonly list: 'messages' | 'users' | 'conversations';
  readonly fields: readonly string[];
}

/** The texts of a filter that are compared in lower case. */
export function searchedTexts({ fields }: Searched, filter: readonly FilterClause[]): string[] {
  return filter
    .filter(({ field }) => field.startsWith(METADATA) || fields.includes(field))
    .flatMap(({ values }) =>
      values.flatMap(({ operator, value = '' }) => (operator === 'contains' ? value : [])),
    );
}

/**
 * The hashes that the rows of a filter have. Each inner list has all hashes of one alternative. Undefined when hashes can't
 * answer any clause of the filter.
 */
export function wantedTrigrams(
  workspaceId: string,
  { list, fields }: Searched,
  filter: readonly FilterClause[],
  lower: (value: string) => string,
): number[][] | undefined {
  const wanted = filter
    .filter(({ field }) => field.startsWith(METADATA) || fields.includes(field))
    .map((clause) => clauseGrams(() => new Trigrams(workspaceId, list), clause, lower))
    .filter((values) => values.length > 0 && values.every((hashes) => hashes.length > 0));
  if (wanted.length === 0) return undefined;
  // All clauses must match. Only one clause contributes alternatives.
  const choice = wanted.find((values) => values.length > 1) ?? [[]];
  const fixed = wanted.filter((values) => values.length === 1).flat(2);
  return choice.map((hashes) => [...new Set([...fixed, ...hashes])]);
}

function clauseGrams(
  grams: () => Trigrams,
  { field, negated, values }: FilterClause,
  lower: (value: string) => string,
): number[][] {
  if (negated) {
    const present = field.startsWith(METADATA) && values.length === 1 && values[0]?.operator === 'null';
    return present ? [grams().present(field).hashes ?? []] : [];
  }
  const of = ({ operator, value = '' }: FilterValue): Trigrams => {
    // Empty values are not indexed.
    if (value === '') return grams();
    if (operator === 'contains') return grams().part(field, lower(value));
    return operator === 'eq' ? grams().value(field, value) : grams();
  };
  return values.map((value) => of(value).hashes ?? []);
}
