import type { Pool } from 'pg';
import type { ListQuery } from '../../core/listing/list-spec.js';
import { findListBatchesSql } from '../calls.gen.js';
import { Parameters } from './filter.js';
import type { Span, Statement } from './source.js';
import { type Searched, searchedTexts, wantedTrigrams } from './trigrams.js';

/** Spans to read, and whether no other span can hold rows. */
export interface FoundSpans {
  readonly spans: readonly Span[];
  readonly complete: boolean;
}

/**
 * Steps of a search through the batches of a list, tried in turn. The first step reads the batches nearest to the page without
 * their hashes, because a common value is found there. The later steps read only batches whose hashes match the filter.
 */
const SEARCH_STEPS = [
  { maxSpans: 8, indexed: false },
  { maxSpans: 30, indexed: true },
  { maxSpans: 300, indexed: true },
  { maxSpans: null, indexed: true },
] as const;

/** The search in one list. Undefined when hashes can't answer any clause of the filter. */
export async function openSearch(
  pool: Pool,
  searched: Searched,
  workspaceId: string,
  query: ListQuery,
): Promise<Search | undefined> {
  const texts = searchedTexts(searched, query.filter);
  const lower = texts.length === 0 ? new Map<string, string>() : await smallLetters(pool, texts);
  const wanted = wantedTrigrams(workspaceId, searched, query.filter, (value) => lower.get(value) ?? value);
  return wanted && new Search(pool, searched.list, workspaceId, query, wanted);
}

/** Lower-cases the texts in the database, because it compares them with its own lower-case texts. */
async function smallLetters(pool: Pool, texts: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await pool.query<{ lower: string[] }>(
    'SELECT ARRAY(SELECT lower(t) FROM unnest($1::text[]) WITH ORDINALITY AS x (t, n) ORDER BY n) AS lower',
    [texts],
  );
  return new Map(texts.map((text, n) => [text, rows[0]?.lower[n] ?? text]));
}

export class Search {
  constructor(
    private readonly pool: Pool,
    private readonly list: Searched['list'],
    private readonly workspaceId: string,
    private readonly query: ListQuery,
    private readonly wanted: readonly number[][],
  ) {}

  /** Reads the rows of the page from more and more spans until it is full. */
  async page<Row>(read: (spans: readonly Span[]) => Promise<Row[]>): Promise<Row[]> {
    for (const { maxSpans, indexed } of SEARCH_STEPS) {
      const { spans, complete } = await this.#find(maxSpans, indexed, true);
      const rows = await read(spans);
      if (complete || rows.length > this.query.limit) return rows;
    }
    throw new Error('The last step reads all batches.');
  }

  /** The spans of all rows of the list. */
  async everywhere(): Promise<readonly Span[]> {
    return (await this.#find(null, true, false)).spans;
  }

  async #find(maxSpans: number | null, indexed: boolean, near: boolean): Promise<FoundSpans> {
    const { rows } = await this.pool.query<Span>(this.#statement(maxSpans, indexed, near));
    return { spans: rows, complete: maxSpans === null || rows.length < maxSpans };
  }

  /** Selects spans in the order of the page. Records that are not indexed yet form one span without an end. */
  #statement(maxSpans: number | null, indexed: boolean, near: boolean): Statement {
    const parameters = new Parameters();
    const { at, order } = this.query;
    const descending = (order === 'desc') !== (at.mode === 'before');
    const workspace = `${parameters.value(this.workspaceId)}::uuid`;
    const batches = `SELECT start, until FROM list_portions WHERE workspace_id = ${workspace} AND list = '${this.list}'`;
    const found = indexed
      ? [
          ...this.wanted.map(
            (hashes) =>
              `SELECT start, until FROM ${findListBatchesSql(workspace, `'${this.list}'`, `${parameters.value(hashes)}::integer[]`)}`,
          ),
          `${batches} AND grams IS NULL`,
        ]
      : [batches];
    const ahead =
      near && (at.mode === 'after' || at.mode === 'before')
        ? `${descending ? 'start <=' : 'until >'} ${parameters.value(at.key[0])}::timestamptz`
        : 'true';
    const direction = descending ? 'DESC' : 'ASC';
    const pieces = found.map(
      (piece) =>
        `(SELECT start, until FROM (${piece}) f WHERE ${ahead} ORDER BY start ${direction} LIMIT ${maxSpans ?? 'ALL'})`,
    );
    const text = `SELECT start::text, until::text FROM (
        SELECT coalesce((SELECT ${this.list}_until FROM list_progress WHERE workspace_id = ${workspace}), '-infinity') AS start,
          'infinity'::timestamptz AS until
        UNION ${pieces.join(' UNION ')}) s
      WHERE ${ahead} ORDER BY s.start ${direction} LIMIT ${maxSpans ?? 'ALL'}`;
    return { text, values: parameters.values };
  }
}
