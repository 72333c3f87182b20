import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ListFilter, Search } from 'lucide-react';
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { personClauses, SHORTEST_SEARCH } from '../../api/person-search';
import { useSession } from '../../api/session';
import { Button } from '../../kit/button';
import { SkeletonList } from '../../kit/feedback';
import { Input } from '../../kit/field';
import { Rows } from './conversation-rows';
import { failuresQuery } from './failures';
import { ListFilters } from './list-filters';
import { messages as t } from './messages';
import { conversationsQuery } from './queries';
import { ViewTabs } from './view-tabs';
import { type InboxSearch, readSearch, type Selection, selectionOf } from './views';

const SearchResults = lazy(() => import('./search-results'));

const MAX_SEARCH = 200;

export function ConversationList() {
  const { search, change } = useInboxSearch();
  const selection = selectionOf(search);
  const { q = '' } = search;
  return (
    <section aria-label={t('conversations')} className="flex h-full min-h-0 flex-col">
      <ListHeader selection={selection} q={q} onChange={change} />
      <ListBody selection={selection} q={q} />
    </section>
  );
}

/** The URL holds the selection, so that users can bookmark it, share it and navigate back to it. */
function useInboxSearch() {
  const search = readSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const change = useCallback(
    (next: InboxSearch) =>
      void navigate({ to: '.', search: (old) => readSearch({ ...old, ...next }), replace: true }),
    [navigate],
  );
  return { search, change };
}

interface HeaderProps {
  readonly selection: Selection;
  readonly q: string;
  readonly onChange: (change: InboxSearch) => void;
}

function ListHeader({ selection, q, onChange }: HeaderProps) {
  const { view, status, platform, label, assignee, team } = selection;
  const isNarrow = status !== 'open' || [platform, label, assignee, team].some((each) => each !== undefined);
  const [isOpen, setOpen] = useState(isNarrow);
  const hasFilters = view !== 'failures' && q === '';
  return (
    <header className="flex flex-col gap-2 border-line border-b p-3">
      <div className="flex min-h-8 items-center gap-2 touch:min-h-10">
        <h1 className="grow font-semibold text-lg">{t('title')}</h1>
        {hasFilters && (
          <Button
            size="sm"
            kind="quiet"
            aria-keyshortcuts="F"
            aria-expanded={isOpen}
            className="aria-expanded:text-accent-text"
            onClick={() => setOpen(!isOpen)}
          >
            <ListFilter aria-hidden className="size-4" />
            {t('filters')}
          </Button>
        )}
      </div>
      <SearchField q={q} onChange={onChange} />
      {q === '' && <ViewTabs selection={selection} onChoose={(next) => onChange({ view: next })} />}
      {hasFilters && isOpen && <ListFilters selection={selection} onChange={onChange} />}
    </header>
  );
}

const PAUSE_MS = 250;

/** Searches after the user stops typing. */
function SearchField({ q, onChange }: { readonly q: string; readonly onChange: HeaderProps['onChange'] }) {
  const [text, setText] = useState(q);
  const asked = useRef(q);
  useEffect(() => {
    // Keeps text that the user typed in the meantime. Only a change from elsewhere replaces it.
    if (q !== asked.current) setText(q);
    asked.current = q;
  }, [q]);
  useEffect(() => {
    if (text.trim() === q) return;
    const timer = setTimeout(() => {
      asked.current = text.trim();
      onChange({ q: text.trim() });
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, q, onChange]);
  return (
    <div className="relative">
      <Search
        aria-hidden
        className="pointer-events-none absolute inset-y-0 left-2.5 my-auto size-4 text-muted"
      />
      <Input
        type="search"
        aria-keyshortcuts="/"
        aria-label={t('search')}
        placeholder={t('search')}
        maxLength={MAX_SEARCH}
        value={text}
        onChange={(event) => setText(event.target.value)}
        className="pl-8"
      />
    </div>
  );
}

function ListBody({ selection, q }: { readonly selection: Selection; readonly q: string }) {
  if (personClauses(q).length > 0)
    return (
      <Suspense fallback={<SkeletonList />}>
        <SearchResults text={q} />
      </Suspense>
    );
  if (q !== '')
    return <p className="p-4 text-muted text-sm">{t('searchMore', { count: SHORTEST_SEARCH })}</p>;
  return selection.view === 'failures' ? <Failures /> : <Selected selection={selection} />;
}

function Selected({ selection }: { readonly selection: Selection }) {
  const { user } = useSession();
  return (
    <Rows
      // Another list starts at its top.
      key={JSON.stringify(selection)}
      list={useInfiniteQuery(conversationsQuery(selection, user.id))}
      title={t('noneTitle')}
      text={t('noneText')}
    />
  );
}

function Failures() {
  return <Rows list={useInfiniteQuery(failuresQuery)} title={t('noFailures')} text={t('noFailuresText')} />;
}
