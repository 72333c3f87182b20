import { beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, fieldsOf, type Json } from '../support/api-client.js';
import { type SharedService, shareService } from '../support/shared-service.js';

interface Page {
  readonly data: Json[];
  readonly meta?: Json;
  readonly links?: Record<string, string | null>;
  readonly pagination?: {
    nextCursor: string | null;
    prevCursor: string | null;
    limit: number;
    hasMore: boolean;
  };
}

const COUNT = 25;

let service: SharedService;
let api: ApiClient;

const list = (query: string, path = '/openapi/messages') => api.must<Page>(200, 'GET', `${path}?${query}`);
const texts = (page: Page) => page.data.map(({ text }) => text);
const found = async (filter: string) =>
  texts(await list(`limit=100&order=asc&filter=${encodeURIComponent(filter)}`));

beforeAll(async () => {
  service = await shareService();
  api = service.client();
  await api.must(201, 'POST', '/openapi/conversations', { participant_ids: [] });
  for (let at = 1; at <= COUNT; at += 1) {
    const metadata = at % 5 === 0 ? { order: at, tag: `T${at}`, 'dotted.key': 'yes' } : {};
    const category = at % 2 === 0 ? 'transactional' : 'conversational';
    await api.must(201, 'POST', '/openapi/messages', {
      conversation_id: 1,
      text: `message ${at}`,
      category,
      metadata,
    });
  }
});

describe('the envelopes of lists', () => {
  it('contain page 1 with offset and cursor blocks if neither page nor cursor is given', async () => {
    const page = await list('');
    expect(Object.keys(page)).toEqual(['data', 'meta', 'links', 'pagination']);
    expect(page.data).toHaveLength(20);
    expect(page.meta).toEqual({ current_page: 1, total_pages: 2, total_items: COUNT, items_per_page: 20 });
    expect(page.pagination).toEqual({
      nextCursor: expect.any(String),
      prevCursor: null,
      limit: 20,
      hasMore: true,
    });
  });

  it('contain only the offset block if page is given, with links that keep the path and the other parameters', async () => {
    const page = await api.must<Page>(
      200,
      'GET',
      '/v1/openapi/messages?order=asc&page=2&limit=10&filter=status:sent',
    );
    expect(Object.keys(page)).toEqual(['data', 'meta', 'links']);
    expect(texts(page)[0]).toBe('message 11');
    expect(page.meta).toEqual({ current_page: 2, total_pages: 3, total_items: COUNT, items_per_page: 10 });
    for (const [name, number] of [
      ['first', 1],
      ['prev', 1],
      ['next', 3],
      ['last', 3],
    ] as const) {
      const link = new URL(page.links?.[name] ?? '', 'http://x');
      expect(link.pathname).toBe('/v1/openapi/messages');
      expect(Object.fromEntries(link.searchParams)).toEqual({
        order: 'asc',
        page: String(number),
        limit: '10',
        filter: 'status:sent',
      });
    }
    const next = await api.must<Page>(200, 'GET', page.links?.next ?? '');
    expect([texts(next)[0], next.links?.next]).toEqual(['message 21', null]);
  });

  it('contain no items past the end, but a link to the last page', async () => {
    const page = await list('page=9&limit=10');
    expect(page).toMatchObject({
      data: [],
      meta: { current_page: 9, total_pages: 3 },
      links: { next: null },
    });
    expect(page.links?.prev).toContain('page=3');
  });

  it('of an empty list contain no pages, and the same link as first and last', async () => {
    const page = await list('page=1&filter=text:nothing');
    expect(page.meta).toEqual({ current_page: 1, total_pages: 0, total_items: 0, items_per_page: 20 });
    expect(page.links).toMatchObject({ prev: null, next: null });
    expect(page.links?.first).toBe(page.links?.last);
    const both = await list('filter=text:nothing');
    expect(both.pagination).toEqual({ nextCursor: null, prevCursor: null, limit: 20, hasMore: false });
  });
});

describe('cursors of lists', () => {
  it('return every row once, even while rows are added, and lead back to the first page', async () => {
    const seen: unknown[] = [];
    const backs: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: Page = await list(`limit=7&order=asc&sort=created_at&cursor=${encodeURIComponent(cursor)}`);
      expect(Object.keys(page)).toEqual(['data', 'pagination']);
      seen.push(...texts(page));
      if (page.pagination?.prevCursor) backs.push(page.pagination.prevCursor);
      cursor = page.pagination?.nextCursor ?? null;
      if (seen.length === 7)
        await api.must(201, 'POST', '/openapi/messages', { conversation_id: 1, text: 'added' });
    }
    expect(seen).toEqual([...Array.from({ length: COUNT }, (_, at) => `message ${at + 1}`), 'added']);
    const before = await list(
      `limit=7&order=asc&sort=created_at&cursor=${encodeURIComponent(backs[0] ?? '')}`,
    );
    expect(texts(before)).toEqual(texts({ data: before.data }));
    expect(texts(before)).toEqual(Array.from({ length: 7 }, (_, at) => `message ${at + 1}`));
    expect(before.pagination?.prevCursor).toBeNull();
    const { data } = await list('filter=text:added');
    await api.must(204, 'DELETE', `/openapi/messages/${data[0]?.id}`);
  });

  it('are bound to path and parameters, but not to limit and version', async () => {
    const { pagination } = await list('limit=5&order=asc');
    const cursor = encodeURIComponent(pagination?.nextCursor ?? '');
    expect(texts(await list(`limit=2&order=asc&cursor=${cursor}`))).toEqual(['message 6', 'message 7']);
    expect(
      texts(await api.must<Page>(200, 'GET', `/v1/openapi/messages?limit=2&order=asc&cursor=${cursor}`)),
    ).toHaveLength(2);
    const other = service.client(await service.createKey({ test: true }));
    const wrong: [ApiClient, string][] = [
      [api, `/openapi/messages?limit=5&order=desc&cursor=${cursor}`],
      [api, `/openapi/messages?limit=5&order=asc&filter=status:sent&cursor=${cursor}`],
      [api, `/openapi/messages?limit=5&order=asc&sort=updated_at&cursor=${cursor}`],
      [api, `/openapi/messages?limit=5&order=asc&conversation_id=1&cursor=${cursor}`],
      [api, `/openapi/conversations?limit=5&order=asc&cursor=${cursor}`],
      [api, `/openapi/messages?limit=5&order=asc&cursor=${cursor}A`],
      [api, '/openapi/messages?limit=5&order=asc&cursor=AAAA'],
      [other, `/openapi/messages?limit=5&order=asc&cursor=${cursor}`],
    ];
    for (const [client, path] of wrong) {
      const answer = await client.get(path);
      expect([path, answer.status]).toEqual([path, 400]);
    }
  });
});

describe('wrong parameters', () => {
  it.each([
    'page=0',
    'page=01',
    'page=+1',
    'page=-1',
    'page=1.0',
    'page=x',
    'page=',
    'limit=0',
    'limit=101',
    'limit=010',
    'limit=',
    'page=2501',
    'page=501&limit=100',
    'sort=text',
    'sort=',
    'order=up',
    'order=',
    'filter=',
    'page=1&cursor=',
    'page=9007199254740993',
  ])('%s is 400', async (query) => {
    const problems = fieldsOf(await api.get(`/openapi/messages?${query}`));
    expect(problems.map(([field]) => field).every((field) => query.includes(field))).toBe(true);
  });

  it('an offset just below 50,000 is accepted', async () => {
    expect((await list('page=500&limit=100')).data).toEqual([]);
    expect((await list('page=2500')).data).toEqual([]);
  });
});

describe('filters', () => {
  it('combine by comma and repetition, with OR, NOT and comparisons', async () => {
    expect(await found('metadata.order:5|10')).toEqual(['message 5', 'message 10']);
    expect(await found('metadata.tag:T25')).toEqual(['message 25']);
    expect(await found('metadata.tag:~t25')).toEqual(['message 25']);
    expect(await found('metadata.tag:t25')).toEqual([]);
    expect(await found('metadata.dotted.key:yes,-metadata.order:5|10|15')).toEqual([
      'message 20',
      'message 25',
    ]);
    expect(await found('text:"message 3"|"message 4",category:transactional')).toEqual(['message 4']);
    expect(await found('text:~"SAGE 2"')).toEqual([
      'message 2',
      ...[20, 21, 22, 23, 24, 25].map((at) => `message ${at}`),
    ]);
    expect(await found('platform:null,status:sent|queued,-category:transactional')).toHaveLength(13);
    expect(await found('status:exploded')).toEqual([]);
    expect(await found('reply_to_id:null')).toHaveLength(COUNT);
    const [first] = (await list('order=asc&limit=1')).data;
    expect(await found(`created_at:<=${first?.created_at}`)).toEqual(['message 1']);
    expect(await found('created_at:>=2026-01-01T00:00:00Z,created_at:<2026-01-01T00:00:00+01:00')).toEqual(
      [],
    );
    const twice = await list('limit=100&filter=category:transactional&filter=text:~%22ge%2010%22');
    expect(texts(twice)).toEqual(['message 10']);
  });

  it.each([
    'status',
    'status:',
    'nope:1',
    'text:~ab',
    'status:>open',
    ':x',
    'status:open,',
    ',',
    'id:x',
    'created_at:yesterday',
    'status:null',
    'category:~transactional',
    'sender_id:>x',
    'text:"open',
    'metadata.:x',
    'metadata:x',
    `text:${'x'.repeat(1_100)}`,
    Array(11).fill('status:sent').join(','),
    'status:sent||queued',
    '-',
    '--status:sent',
    'thread_id:~abc',
  ])('%s is 400', async (filter) => {
    const problems = fieldsOf(await api.get(`/openapi/messages?filter=${encodeURIComponent(filter)}`));
    expect(problems[0]?.[0]).toBe('filter');
  });
});

describe('every list', () => {
  it('supports both modes, and sorts and filters by its times and its id', async () => {
    const { data } = await list('limit=1', '/openapi/conversations');
    await api.must(201, 'POST', '/api/webhooks', { url: 'https://example.com/', events: ['messages'] });
    const lists: [string, string[]][] = [
      ['/openapi/messages', ['created_at', 'updated_at', 'send_at']],
      ['/openapi/deliveries', ['created_at', 'updated_at', 'next_attempt_at']],
      ['/openapi/conversations', ['created_at', 'updated_at', 'last_message_at', 'number']],
      [`/openapi/conversations/${data[0]?.id}/participants`, ['joined_at']],
      ['/openapi/conversations/1/links', ['created_at', 'updated_at']],
      ['/openapi/users', ['created_at', 'updated_at', 'display_name', 'last_seen_at']],
      ['/openapi/broadcasts', ['created_at', 'updated_at', 'scheduled_at']],
      ['/openapi/protocols', ['name']],
      ['/openapi/platforms', ['name']],
      ['/openapi/platforms/connections', ['created_at', 'updated_at', 'name']],
      ['/openapi/platforms/telegram/connections', ['created_at', 'updated_at', 'name']],
      ['/api/webhooks', ['created_at', 'updated_at']],
    ];
    for (const [path, sorts] of lists) {
      for (const sort of sorts) {
        for (const order of ['asc', 'desc']) {
          const all = await list(`sort=${sort}&order=${order}&limit=100`, path);
          const page = await list(`sort=${sort}&order=${order}&limit=1&page=1`, path);
          const first = await list(`sort=${sort}&order=${order}&limit=1&cursor=`, path);
          expect([path, sort, page.data, first.data]).toEqual([
            path,
            sort,
            all.data.slice(0, 1),
            all.data.slice(0, 1),
          ]);
          expect(all.meta).toMatchObject({ total_items: all.data.length });
        }
      }
      if (!sorts.includes('created_at')) continue;
      await list('filter=created_at:<2020-01-01T00:00:00Z,updated_at:>2020-01-01T00:00:00Z', path);
      await list('filter=id:019b76da-a800-7000-8000-000000000001', path);
      expect(fieldsOf(await api.get(`${path}?sort=nope`))).toEqual([['sort', 'invalid_value']]);
    }
  });
});
