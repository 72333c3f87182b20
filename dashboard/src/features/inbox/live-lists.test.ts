import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import { listed, type Pages, placed } from './live-lists';
import { type Conversation, filterOf, matches } from './views';

const conversation = (id: string, more: Partial<Conversation> = {}) =>
  ({ id, title: id, unread_count: 0, ...more }) as Conversation;
const pagesOf = (...pages: Conversation[][]): Pages => ({
  pages: pages.map((data) => ({ data })),
  pageParams: pages.map(String),
});
const idsOf = ({ pages }: Pages) => pages.map(({ data }) => data.map(({ id }) => id));

describe('A list of conversations', () => {
  it('shows a change in place and keeps the count of the person', () => {
    const pages = placed(
      pagesOf([conversation('a', { unread_count: 3 })], [conversation('b')]),
      conversation('a', { title: 'new', unread_count: 9 }),
      true,
    );
    expect(idsOf(pages)).toEqual([['a'], ['b']]);
    expect(pages.pages[0]?.data[0]).toMatchObject({ title: 'new', unread_count: 3 });
  });

  it('loses a conversation that no longer belongs to it', () => {
    expect(idsOf(placed(pagesOf([conversation('a'), conversation('b')]), conversation('a'), false))).toEqual([
      ['b'],
    ]);
  });

  it('puts a conversation that belongs to it now at the place of its last message', () => {
    const at = (id: string, minute: number) =>
      conversation(id, { last_message: { created_at: `2026-01-01T00:0${minute}:00.000Z` } as never });
    const pages = pagesOf([at('e', 5), at('c', 3)], [at('b', 2)]);
    const withOne = (one: Conversation) => idsOf(placed(pages, one, true));
    expect(withOne(at('f', 6))).toEqual([['f', 'e', 'c'], ['b']]);
    expect(withOne(at('d', 4))).toEqual([['e', 'd', 'c'], ['b']]);
    expect(withOne(at('a', 1))).toEqual([
      ['e', 'c'],
      ['b', 'a'],
    ]);
    expect(idsOf(placed(pagesOf([]), at('a', 1), true))).toEqual([['a']]);
  });

  it('shows a conversation that was opened until the service has answered', () => {
    const queries = new QueryClient();
    queries.setQueryData(['conversations', 'newest'], [conversation('c', { number: 3 })]);
    queries.setQueryData(
      ['conversations', { view: 'all' }, 'me'],
      pagesOf([conversation('a', { number: 1 })], [conversation('b', { number: 2 })]),
    );
    expect(listed(queries, 2)?.id).toBe('b');
    expect(listed(queries, 3)).toBeUndefined();
  });

  it('of a team has the conversations of that team alone, whatever its name is', () => {
    const selection = { view: 'all', status: 'open', team: 'A "b"|c' } as const;
    const shown = (team: string | null) =>
      matches(selection, conversation('a', { status: 'open', team }), 'me');
    expect([shown('A "b"|c'), shown('A'), shown(null)]).toEqual([true, false, false]);
    expect(filterOf(selection, 'me')).toEqual(['status:open', 'team:"A \\"b\\"|c"']);
  });
});
