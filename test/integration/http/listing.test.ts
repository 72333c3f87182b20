import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readFilters } from '../../../src/core/listing/filter.js';
import { type ListQuery, recordList } from '../../../src/core/listing/list-spec.js';
import { type ListSource, listRecords } from '../../../src/store/listing/list-records.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

const WORKSPACE = '019b76da-a800-7000-8000-000000000001';
const OTHER = '019b76da-a800-7000-8000-000000000002';
const spec = recordList({
  sort: ['score', 'due_at'],
  filter: {
    name: { type: 'string' },
    score: { type: 'int', nullable: true },
    ratio: { type: 'number', nullable: true },
    done: { type: 'bool' },
    label: { type: 'array' },
    friend_id: { type: 'array', of: 'uuid' },
  },
  metadata: true,
});
const source: ListSource = {
  table: 'things t',
  record: { sql: `json_build_object('id', t.id, 'name', t.name, 'for', $1::text)`, values: ['me'] },
  workspace: 't.workspace_id',
  id: 't.id',
  where: 't.deleted_at IS NULL',
  fields: {
    id: 't.id',
    created_at: 't.created_at',
    updated_at: 't.created_at',
    name: 't.name',
    score: 't.score',
    ratio: 't.ratio',
    done: 't.done',
    label: 't.labels',
    friend_id: { sql: 't.id', contains: 't.friend = $1::uuid' },
    due_at: { sql: 't.due_at', type: 'timestamp', nullable: true },
    metadata: 't.metadata',
  },
};
interface Thing {
  name: string;
  for: string;
}

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase({ empty: true });
  await database.pool.query(`CREATE TABLE things (
    id uuid PRIMARY KEY, workspace_id uuid NOT NULL, name text NOT NULL, score bigint, ratio double precision,
    done boolean NOT NULL DEFAULT false, labels text[] NOT NULL DEFAULT '{}', friend uuid, due_at timestamptz,
    metadata jsonb NOT NULL DEFAULT '{}', created_at timestamptz NOT NULL, deleted_at timestamptz)`);
});
afterAll(() => database.drop());

const idOf = (index: number) => `019b76da-a800-7000-8000-${String(index).padStart(12, '0')}`;

async function fill(rows: readonly Record<string, unknown>[]): Promise<void> {
  await database.pool.query('DELETE FROM things');
  for (const [index, row] of rows.entries()) {
    const values = { id: idOf(index), workspace_id: WORKSPACE, created_at: '2026-01-01T00:00:00Z', ...row };
    const names = Object.keys(values);
    const places = names.map((_, place) => `$${place + 1}`);
    const text = `INSERT INTO things (${names.join(', ')}) VALUES (${places.join(', ')})`;
    await database.pool.query(text, Object.values(values));
  }
}

const list = (query: Partial<ListQuery> = {}, conditions: { sql: string; values?: unknown[] }[] = []) =>
  listRecords<Thing>(
    database.pool,
    source,
    spec,
    WORKSPACE,
    {
      filter: [],
      sort: 'created_at',
      order: 'asc',
      limit: 20,
      at: { mode: 'first' },
      count: false,
      ...query,
    },
    conditions,
  );
const names = (page: { items: readonly Thing[] }) => page.items.map((one) => one.name).join('');

async function walk(query: Partial<ListQuery>): Promise<string[]> {
  const seen: string[] = [];
  let page = await list(query);
  for (;;) {
    seen.push(names(page));
    if (!page.hasNext || page.lastKey === null) break;
    page = await list({ ...query, at: { mode: 'after', key: page.lastKey, inclusive: false } });
  }
  const back: string[] = [names(page)];
  while (page.hasPrevious && page.firstKey !== null) {
    page = await list({ ...query, at: { mode: 'before', key: page.firstKey, inclusive: false } });
    back.unshift(names(page));
    expect(page.hasNext).toBe(true);
  }
  expect(back.join('')).toBe(seen.join(''));
  return seen;
}

describe('a list from the database', () => {
  it('contains the existing records of one workspace', async () => {
    await fill([{ name: 'a' }, { name: 'b', workspace_id: OTHER }, { name: 'c', deleted_at: new Date() }]);
    const page = await list({ count: true });
    expect(page.items).toEqual([{ id: idOf(0), name: 'a', for: 'me' }]);
    expect(page).toMatchObject({ total: 1, hasNext: false, hasPrevious: false });
    expect((await list()).total).toBeNull();
  });

  it('is paged forward and backward in the same order, with ties ordered by id', async () => {
    const at = ['00.000001', '00.000001', '00.000002', '01', '01', '02', '02'];
    await fill([...'abcdefg'].map((name, index) => ({ name, created_at: `2026-01-01T00:00:${at[index]}Z` })));
    expect(await walk({ limit: 3 })).toEqual(['abc', 'def', 'g']);
    expect(await walk({ limit: 2, order: 'desc' })).toEqual(['gf', 'ed', 'cb', 'a']);
  });

  it.each(['score', 'due_at'])('sorts nulls of %s last, and first in descending order', async (sort) => {
    const value = (n: number | null) => (sort === 'score' || n === null ? n : new Date(n * 1_000));
    const rows = [2, null, 10, null, 2, null, 1].map((n, index) => ({
      name: 'abcdefg'[index],
      [sort]: value(n),
    }));
    await fill(rows);
    for (const limit of [1, 2, 3, 7]) {
      expect((await walk({ sort, limit })).join('')).toBe('gaecbdf');
      expect((await walk({ sort, limit, order: 'desc' })).join('')).toBe('fdbceag');
    }
  });

  it('reports whether rows exist before and after the page', async () => {
    await fill([...'abc'].map((name) => ({ name })));
    const key = [(await list({ limit: 1 })).lastKey?.[0] ?? null, idOf(0)] as const;
    const after = await list({ at: { mode: 'after', key, inclusive: false }, limit: 2 });
    expect([names(after), after.hasPrevious, after.hasNext]).toEqual(['bc', true, false]);
    await database.pool.query(`DELETE FROM things WHERE name = 'a'`);
    expect((await list({ at: { mode: 'after', key, inclusive: false } })).hasPrevious).toBe(false);
    const until = await list({ at: { mode: 'before', key: [key[0], idOf(1)], inclusive: true } });
    expect([names(until), until.hasNext]).toEqual(['b', true]);
  });

  it('is read by offset with exact totals', async () => {
    await fill([...'abcdefg'].map((name) => ({ name })));
    const page = await list({ at: { mode: 'offset', page: 3 }, limit: 3, count: true });
    expect([names(page), page.total, page.hasPrevious, page.hasNext]).toEqual(['g', 7, true, false]);
    const desc = await list({ at: { mode: 'offset', page: 2 }, limit: 2, order: 'desc', count: true });
    expect([names(desc), desc.hasNext]).toEqual(['ed', true]);
    expect((await list({ at: { mode: 'offset', page: 9 }, limit: 3, count: true })).items).toEqual([]);
  });

  it('is narrowed by conditions with their own values', async () => {
    await fill([...'abc'].map((name) => ({ name })));
    const conditions = [
      { sql: 't.name <> $1 AND t.name <> $2', values: ['a', 'c'] },
      { sql: 't.score IS NULL' },
    ];
    expect(names(await list({ count: true }, conditions))).toBe('b');
  });

  it.each([
    ['name:b', 'b'],
    ['-name:b', 'acd'],
    ['name:a|b', 'ab'],
    ['name:A', ''],
    [`name:"' OR 1=1 --"`, ''],
    ['score:5', 'a'],
    ['score:>5', 'b'],
    ['score:>=5', 'ab'],
    ['score:null', 'cd'],
    ['-score:null', 'ab'],
    ['-score:5', 'bcd'],
    ['-score:5|null', 'b'],
    ['ratio:0.1', 'a'],
    ['done:true', 'b'],
    ['label:x', 'ab'],
    ['-label:x', 'cd'],
    [`friend_id:${OTHER}`, 'c'],
    [`-friend_id:${OTHER}`, 'abd'],
    [`id:${idOf(1)}|${idOf(2)}`, 'bc'],
    ['metadata.order:42', 'ab'],
    ['metadata.order:~12x', 'c'],
    ['metadata.order:null', 'd'],
    ['metadata.note:~50%', 'a'],
    ['metadata.note:~ÜNÏ', 'b'],
    ['created_at:2026-01-01T00:00:00.001Z', 'a'],
    ['created_at:>2026-01-01T00:00:00.001Z', 'bcd'],
    ['created_at:>=2026-01-01T00:00:00.001Z', 'abcd'],
    ['created_at:<=2026-01-01T00:00:00.001Z', 'a'],
    ['created_at:<2026-01-01T00:00:00.001Z', ''],
    ['created_at:>=2026-01-01T00:00:00.002Z,created_at:<2026-01-01T00:00:00.004Z', 'bc'],
  ])('filters by %s', async (filter, expected) => {
    const created_at = (ms: number) => `2026-01-01T00:00:00.00${ms}7Z`;
    await fill([
      {
        name: 'a',
        score: 5,
        ratio: 0.1,
        labels: ['x', 'y'],
        metadata: { order: 42, note: 'off 50% now' },
        created_at: created_at(1),
      },
      {
        name: 'b',
        score: 6,
        done: true,
        labels: ['x'],
        metadata: { order: '42', note: 'der ünïcode' },
        created_at: created_at(2),
      },
      {
        name: 'c',
        friend: OTHER,
        metadata: { order: 'a12X', note: 'off 500 now' },
        created_at: created_at(3),
      },
      { name: 'd', created_at: created_at(4) },
    ]);
    const page = await list({ filter: readFilters([filter], spec), count: true });
    expect(names(page)).toBe(expected);
    expect(page.total).toBe(expected.length);
  });
});
