import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { api, must } from '../../api/client';
import { quoted } from '../../api/filter';
import { usePeople } from '../../api/people';
import { SHORTEST_SEARCH } from '../../api/person-search';
import { shortTime } from '../../i18n/time';
import { EmptyState, ErrorState, SkeletonList } from '../../kit/feedback';
import { usePlainText } from '../../kit/markdown/plain-text';
import { PlatformBadge } from '../../kit/platform';
import { LoadMore } from './load-more';
import type { Message } from './message-pages';
import { messages as t } from './messages';
import { excerptOf } from './search-excerpt';
import { PeopleFound, useConversationsOf } from './search-people';
import type { InboxSearch } from './views';

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

/** The conversations of people whose name fits, and all messages that contain the text, newest first. */
export default function SearchResults({ text }: { readonly text: string }) {
  const isLong = text.length >= SHORTEST_SEARCH;
  const list = useInfiniteQuery({ ...searchQuery(text), enabled: isLong });
  const ofPeople = useConversationsOf(text);
  const found = list.data?.pages.flatMap(({ data }) => data) ?? [];
  if ((isLong && list.isPending) || ofPeople === undefined) return <SkeletonList />;
  if (list.isError && list.data === undefined)
    return <ErrorState error={list.error} onRetry={() => void list.refetch()} />;
  if (found.length === 0 && ofPeople.length === 0)
    return (
      <EmptyState icon={SearchX} title={t('nothingFound')}>
        {t('nothingFoundText')}
      </EmptyState>
    );
  return (
    <div className="min-h-0 grow overflow-y-auto">
      {ofPeople.length > 0 && <PeopleFound title={t('foundPeople')} conversations={ofPeople} />}
      {found.length > 0 && <MessagesFound messages={found} text={text} />}
      <LoadMore {...list} />
    </div>
  );
}

function MessagesFound({ messages, text }: { readonly messages: readonly Message[]; readonly text: string }) {
  const people = usePeople(messages.map(({ sender_id }) => sender_id));
  return (
    <>
      <h2 className="px-3 py-2 font-medium text-muted text-xs">{t('results')}</h2>
      <ul aria-label={t('results')}>
        {messages.map((message) => (
          <li key={message.id}>
            <Result
              message={message}
              text={text}
              name={people.get(message.sender_id)?.display_name ?? t('formerPerson')}
            />
          </li>
        ))}
      </ul>
    </>
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
      <span className="flex items-center justify-between gap-2 text-muted text-xs">
        {t('number', { number: message.conversation_number })}
        {message.platform !== null && <PlatformBadge platform={message.platform} />}
      </span>
    </Link>
  );
}
