import { beforeEach, describe, expect, it } from 'vitest';
import { ALL, callerWith, Notes, testServer } from '../../support/http.js';

const elsewhere = callerWith(['messages:read'], { workspaceId: '019b76da-a800-7000-8000-000000000002' });
let notes: Notes;
let server: ReturnType<typeof testServer>;
const get = async (query: string, { path = '/v1/openapi/notes', as = 'all' } = {}) => {
  const answer = await server.inject({ url: `${path}?${query}`, headers: { 'x-api-key': as } });
  return { status: answer.statusCode, ...answer.json() };
};
const texts = (answer: { data: { text: string }[] }) => answer.data.map((note) => note.text).join('');

beforeEach(() => {
  notes = new Notes();
  server = testServer(notes.routes(), { all: ALL, elsewhere });
  for (const text of 'abcdefg') notes.add(text);
});

describe('a list', () => {
  it('without page and cursor has meta, links and pagination', async () => {
    const answer = await get('limit=3');
    expect(texts(answer)).toBe('gfe');
    expect(answer.meta).toEqual({ current_page: 1, total_pages: 3, total_items: 7, items_per_page: 3 });
    expect(answer.links).toEqual({
      first: '/v1/openapi/notes?page=1&limit=3',
      last: '/v1/openapi/notes?page=3&limit=3',
      prev: null,
      next: '/v1/openapi/notes?page=2&limit=3',
    });
    expect(answer.pagination).toMatchObject({ prevCursor: null, limit: 3, hasMore: true });
  });

  it('with page has the offset envelope only', async () => {
    const answer = await get('page=3&limit=3&order=asc&filter=-text:zzz');
    expect(Object.keys(answer)).toEqual(['status', 'data', 'meta', 'links']);
    expect(texts(answer)).toBe('g');
    expect(answer.links.next).toBeNull();
    expect(answer.links.prev).toBe('/v1/openapi/notes?order=asc&filter=-text%3Azzz&page=2&limit=3');
  });

  it('past the end is empty and points to the last page', async () => {
    const answer = await get('page=9&limit=3');
    expect(answer).toMatchObject({ data: [], meta: { current_page: 9 }, links: { next: null } });
    expect(answer.links.prev).toContain('page=3&');
  });

  it('that is empty has no pages and links to page 1', async () => {
    const answer = await get('filter=text:none');
    expect(answer.meta).toMatchObject({ total_pages: 0, total_items: 0, items_per_page: 20 });
    expect(answer.links).toMatchObject({ prev: null, next: null, last: answer.links.first });
    expect(answer.pagination).toEqual({ nextCursor: null, prevCursor: null, limit: 20, hasMore: false });
  });

  it('can be traversed forwards and backwards by cursors, without a gap or repetition', async () => {
    let page = await get('cursor=&limit=3');
    expect(Object.keys(page)).toEqual(['status', 'data', 'pagination']);
    const seen = [texts(page)];
    while (page.pagination.hasMore) {
      page = await get(`cursor=${page.pagination.nextCursor}&limit=3`);
      seen.push(texts(page));
    }
    expect(seen).toEqual(['gfe', 'dcb', 'a']);
    page = await get(`cursor=${page.pagination.prevCursor}&limit=3`);
    expect(texts(page)).toBe('dcb');
    expect(page.pagination.hasMore).toBe(true);
    page = await get(`cursor=${page.pagination.prevCursor}&limit=3`);
    expect([texts(page), page.pagination.prevCursor]).toEqual(['gfe', null]);
  });

  it('neither repeats nor hides a row when other rows are added or removed', async () => {
    const first = await get('limit=3');
    notes.add('new');
    notes.items.splice(3, 2);
    expect(texts(await get(`cursor=${first.pagination.nextCursor}&limit=3`))).toBe('cba');
  });

  it('allows going back from a page that became empty', async () => {
    const first = await get('limit=3&order=asc&filter=text:a|b|c|d');
    notes.items.splice(3, 1);
    const query = 'limit=3&order=asc&filter=text:a|b|c|d';
    const empty = await get(`cursor=${first.pagination.nextCursor}&${query}`);
    expect(empty).toMatchObject({ data: [], pagination: { hasMore: false } });
    expect(texts(await get(`cursor=${empty.pagination.prevCursor}&${query}`))).toBe('abc');
  });

  it('sorts null after every value in ascending order, ties by id', async () => {
    notes.items.forEach((note, index) => {
      note.size = [3, null, 1, null, 10, 3, null][index] ?? null;
    });
    const all = async (order: string) => {
      let page = await get(`sort=size&order=${order}&limit=2`);
      let seen = texts(page);
      for (; page.pagination.hasMore; seen += texts(page)) {
        page = await get(`sort=size&order=${order}&limit=2&cursor=${page.pagination.nextCursor}`);
      }
      return seen;
    };
    expect(await all('asc')).toBe('cafebdg');
    expect(await all('desc')).toBe('gdbefac');
  });

  it('in version 2.0 has cursors only', async () => {
    const answer = await get('limit=3', { path: '/v2/openapi/notes' });
    expect(Object.keys(answer)).toEqual(['status', 'data', 'pagination']);
    expect((await get('page=1', { path: '/v2/openapi/notes' })).errors[0]).toMatchObject({
      field: 'page',
      code: 'unsupported',
    });
  });
});

describe('a cursor', () => {
  it('is valid for every path of the list, with another limit and version', async () => {
    const { pagination } = await get('limit=3');
    const cursor = pagination.nextCursor;
    expect(texts(await get(`cursor=${cursor}&limit=2`, { path: '/openapi/notes' }))).toBe('dc');
    expect(texts(await get(`limit=1&cursor=${cursor}`, { path: '/v2/openapi/notes' }))).toBe('d');
    expect((await get(`cursor=${cursor}&version=1.0`)).status).toBe(200);
  });

  it.each([
    ['another filter', '&filter=text:a', {}],
    ['another order', '&order=asc', {}],
    ['the default written out', '&sort=created_at', {}],
    ['another workspace', '', { as: 'elsewhere' }],
  ])('is refused with %s', async (_, more, options) => {
    const { pagination } = await get('limit=3');
    const answer = await get(`cursor=${pagination.nextCursor}&limit=3${more}`, options);
    expect(answer.status).toBe(400);
    expect(answer.details.fields[0]).toMatchObject({ field: 'cursor', code: 'invalid_value' });
  });

  it('is refused when it is altered', async () => {
    const cursor: string = (await get('limit=3')).pagination.nextCursor;
    const last = cursor.at(-1) === 'A' ? 'B' : 'A';
    for (const bad of [
      'x',
      'AAAA',
      cursor.slice(1),
      `${cursor}A`,
      cursor.slice(0, -1) + last,
      `${cursor}=`,
    ]) {
      expect((await get(`cursor=${bad}&limit=3`)).status).toBe(400);
    }
  });
});

describe('a list parameter', () => {
  it.each([
    'page=0',
    'page=01',
    'page=%2B1',
    'page=-1',
    'page=1.0',
    'page=x',
    'page=',
    'limit=0',
    'limit=101',
    'limit=',
    'limit=1e1',
    'sort=text',
    'sort=',
    'order=up',
    'order=',
    'order=DESC',
    'filter=',
    'page=1&cursor=',
    'page=501&limit=100',
    'page=2501',
    'page=99999999999999999999',
  ])('is refused with 400: %s', async (query) => {
    const answer = await get(query);
    expect(answer.status).toBe(400);
    expect(answer.details.fields[0].field).toBe(query.split('=')[0]);
  });

  it('page may reach up to the offset limit', async () => {
    expect((await get('page=500&limit=100')).status).toBe(200);
    expect((await get('page=2500')).status).toBe(200);
  });
});
