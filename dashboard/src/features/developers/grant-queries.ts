import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, must, type Schemas } from '../../api/client';
import { quoted } from '../../api/filter';

export type Conversation = Schemas['Conversation'];

const MAX_FOUND = 20;
/** Limits the filter, whose maximum length is 1,024 characters. */
const IDS_AT_ONCE = 20;
/** The service supports substring search only for three or more characters. */
const SHORTEST_SEARCH = 3;

async function conversationsWith(filter: string[], signal: AbortSignal) {
  const query = { filter, sort: 'last_message_at', limit: MAX_FOUND, cursor: '' } as const;
  return must(api.GET('/openapi/conversations', { params: { query }, signal }));
}

/** The conversations of people whose name contains the text. */
async function conversationsOf(name: string, signal: AbortSignal) {
  const query = { filter: [`display_name:~${quoted(name)}`], limit: MAX_FOUND, cursor: '' };
  const { data } = await must(api.GET('/openapi/users', { params: { query }, signal }));
  return data.length === 0
    ? undefined
    : conversationsWith([`participant_id:${data.map(({ id }) => id).join('|')}`], signal);
}

/** Finds conversations by title, number or the name of a person. Without a text, returns those with the newest messages. */
export const foundConversationsQuery = (text: string) =>
  queryOptions({
    queryKey: ['conversations', 'to grant', text],
    queryFn: async ({ signal }) => {
      const isLong = [...text].length >= SHORTEST_SEARCH;
      const pages = await Promise.all(
        text === ''
          ? [conversationsWith([], signal)]
          : [
              conversationsWith([`title:${isLong ? '~' : ''}${quoted(text)}`], signal),
              ...(/^\d{1,15}$/.test(text) ? [conversationsWith([`number:${text}`], signal)] : []),
              ...(isLong ? [conversationsOf(text, signal)] : []),
            ],
      );
      const rows = new Map(pages.flatMap((page) => page?.data ?? []).map((row) => [row.id, row]));
      return {
        rows: [...rows.values()],
        hasMore: pages.some((page) => page?.pagination?.nextCursor != null),
      };
    },
    placeholderData: keepPreviousData,
  });

/** The conversations of a grant. Deleted conversations are absent. */
export const grantedQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: ['conversations', 'granted', ids],
    queryFn: async ({ signal }): Promise<readonly Conversation[]> => {
      const parts = Array.from({ length: Math.ceil(ids.length / IDS_AT_ONCE) }, (_, part) =>
        ids.slice(part * IDS_AT_ONCE, (part + 1) * IDS_AT_ONCE),
      );
      const pages = await Promise.all(
        parts.map((part) => conversationsWith([`id:${part.join('|')}`], signal)),
      );
      return pages.flatMap(({ data }) => data);
    },
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
  });
