import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { ServiceEvent } from '../../api/event-stream';
import { patchQueries, refresh } from '../../api/refresh';
import { type Conversation, matches, type Selection } from './views';

interface Page {
  readonly data: Conversation[];
}
export type Pages = InfiniteData<Page, string>;

/** Events whose data is the full conversation. */
const CHANGES =
  /^conversation\.(updated|status_changed|assigned|participant_(added|removed)|link_(added|removed|updated))$/;

/** Keeps the lists of conversations current. A change updates the row, and a message moves it to the top. */
export function patchLists({ name, data }: ServiceEvent, queries: QueryClient): void {
  if (CHANGES.test(name) && data.truncated !== true) {
    const conversation = data as unknown as Conversation;
    const showIn = (old: Conversation) => merged(old, conversation);
    patchQueries(queries, ['conversation', conversation.number], showIn);
    patchQueries<Pages>(queries, ['conversations'], (pages, key) => {
      const [, selection, userId] = key as [string, Selection, string];
      return placed(pages, conversation, matches(selection, conversation, userId));
    });
  } else if (name === 'message.created' || name.startsWith('conversation.') || name === 'message.read') {
    // The unread counts are per user, and only the service knows them.
    refresh(queries, ['conversations']);
  }
}

/** Finds a conversation in the cached lists. */
export function listed(queries: QueryClient, number: number): Conversation | undefined {
  const lists = queries.getQueriesData<Partial<Pages>>({ queryKey: ['conversations'] });
  const rows = lists.flatMap(([, list]) => list?.pages ?? []).flatMap(({ data }) => data);
  return rows.find((each) => each.number === number);
}

/** Keeps the old unread count, because the count of an event is not that of this user. */
function merged(old: Conversation, { unread_count: _count, ...changed }: Conversation): Conversation {
  return { ...old, ...changed, unread_count: old.unread_count };
}

/** The pages with the conversation at its position. The lists are sorted by the time of the last message. */
export function placed(pages: Pages, conversation: Conversation, belongs: boolean): Pages {
  const old = pages.pages.flatMap(({ data }) => data).find(({ id }) => id === conversation.id);
  if (old !== undefined && belongs) {
    return mapRows(pages, (row) => (row.id === conversation.id ? merged(row, conversation) : row));
  }
  const without = mapRows(pages, (row) => (row.id === conversation.id ? undefined : row));
  if (!belongs) return without;
  return inserted(without, conversation);
}

/** A conversation that is older than all loaded rows is shown with the page to which it belongs. */
function inserted(list: Pages, conversation: Conversation): Pages {
  const time = timeOf(conversation);
  const isOlder = (row: Conversation) => timeOf(row) < time;
  const at = list.pages.findIndex(({ data }) => data.some(isOlder));
  const target = at === -1 ? list.pages.length - 1 : at;
  const pages = list.pages.map((page, index) => {
    if (index !== target) return page;
    const row = page.data.findIndex(isOlder);
    return { ...page, data: page.data.toSpliced(row === -1 ? page.data.length : row, 0, conversation) };
  });
  return { ...list, pages };
}

const timeOf = ({ last_message: last, created_at: createdAt }: Conversation): string =>
  last?.created_at ?? createdAt ?? '';

function mapRows(pages: Pages, change: (row: Conversation) => Conversation | undefined): Pages {
  return {
    ...pages,
    pages: pages.pages.map((page) => ({ ...page, data: page.data.flatMap((row) => change(row) ?? []) })),
  };
}
