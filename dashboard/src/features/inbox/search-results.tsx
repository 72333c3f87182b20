import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { api, must } from '../../api/client';
import { quoted } from '../../api/filter';
import { usePeople } from '../../api/people';
import { shortTime } from '../../i18n/time';
import { Button } from '../../kit/button';
import { EmptyState, ErrorState, SkeletonList } from '../../kit/feedback';
import { usePlainText } from '../../kit/markdown/plain-text';
import type { Message } from './message-pages';
import { messages as t } from './messages';
import { excerptOf } from './search-excerpt';
import type { InboxSearch } from './views';

/** The service rejects shorter texts, because no index supports them. */
export const SHORTEST_SEARCH = 3;
const PAGE = 30;

const searchQuery = (text: string) =>
  infiniteQueryOptions({
    queryKey: ['search', text],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => {
      const query = { filter: [`text:~${quoted(text)}`], limit: PAGE, cursor: pageParam };
      return must(api.GET('/openapi/messages', { params: { query }, signal }));
    },
    getNextPageParam: ({ pagination }) => pagination?.nextCursor ?? undefined,
  });

/** All messages that contain a text, newest first. */
export function SearchResults({ text }: { readonly text: string }) {
  const list = useInfiniteQuery(searchQuery(text));
  const found = list.data?.pages.flatMap(({ data }) => data) ?? [];
  const people = usePeople(found.map(({ sender_id }) => sender_id));
  if (list.isPending) return <SkeletonList />;
  if (list.data === undefined) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />;
  if (found.length === 0)
    return (
      <EmptyState icon={SearchX} title={t('nothingFound')}>
        {t('nothingFoundText')}
      </EmptyState>
    );
  return (
    <div className="min-h-0 grow overflow-y-auto">
      <ul aria-label={t('results')}>
        {found.map((message) => (
          <li key={message.id}>
            <Result
              message={message}
              text={text}
              name={people.get(message.sender_id)?.display_name ?? t('formerPerson')}
            />
          </li>
        ))}
      </ul>
      {list.hasNextPage && (
        <div className="flex justify-center p-3">
          <Button disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {t('more')}
          </Button>
        </div>
      )}
    </div>
  );
}

interface ResultProps {
  readonly message: Message;
  readonly text: string;
  readonly name: string;
}

function Result({ message, text, name }: ResultProps) {
  const said = usePlainText(message);
  // The match may be in a Markdown mark or a link address, which the plain text omits.
  const isSaid = said.toLowerCase().includes(text.toLowerCase());
  const { before, match, after } = excerptOf(isSaid ? said : message.text, text);
  return (
    <Link
      to="/inbox/$number"
      params={{ number: String(message.conversation_number) }}
      search={(old: InboxSearch) => ({ ...old, message: message.id })}
      className="block border-line border-b px-3 py-2.5 hover:bg-hover data-[status=active]:bg-selected"
    >
      <span className="flex items-baseline justify-between gap-2">
        <span className="untrusted truncate font-medium">{name}</span>
        <time dateTime={message.created_at} className="shrink-0 text-muted text-xs">
          {shortTime(message.created_at)}
        </time>
      </span>
      <span className="untrusted line-clamp-2 text-muted text-sm">
        {before}
        <mark className="rounded-sm bg-warning-soft text-text">{match}</mark>
        {after}
      </span>
      <span className="text-muted text-xs">{t('number', { number: message.conversation_number })}</span>
    </Link>
  );
}
