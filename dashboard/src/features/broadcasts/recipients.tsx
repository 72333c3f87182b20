import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Download, History, MessageSquareText, Users } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { explain } from '../../api/errors';
import { type Person, usePeople } from '../../api/people';
import { useAddressFilter } from '../../kit/address-filter';
import { Button, buttonLook } from '../../kit/button';
import { EmptyState, ErrorState, SkeletonList } from '../../kit/feedback';
import { PlatformBadge } from '../../kit/platform';
import { Popover } from '../../kit/popover';
import { Table } from '../../kit/table';
import { messages as trace } from '../../kit/trace/messages';
import { RecipientStatus } from './broadcast-status';
import { messages as t } from './messages';
import {
  type Broadcast,
  exportUrl,
  messageQuery,
  type Recipient,
  type RecipientFilter,
  recipientsQuery,
} from './queries';
import { RecipientFilters } from './recipient-filters';

const MessageTrace = lazy(() => import('../../kit/trace/message-trace'));

const ALL: RecipientFilter = { status: '', platform: '', reason: '' };

/** All recipients of a broadcast with the result of their message. */
export function Recipients({ broadcast }: { readonly broadcast: Broadcast }) {
  const [filter, setFilter] = useAddressFilter(ALL);
  return (
    <section aria-label={t('recipients')} className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="font-semibold">{t('recipients')}</h2>
        <a href={exportUrl(broadcast.id, filter)} download className={buttonLook()}>
          <Download aria-hidden className="size-4" />
          {t('export')}
        </a>
      </div>
      <RecipientFilters broadcast={broadcast} filter={filter} onChange={setFilter} />
      <Rows broadcast={broadcast} filter={filter} />
    </section>
  );
}

interface RowsProps {
  readonly broadcast: Broadcast;
  readonly filter: RecipientFilter;
}

function Rows({ broadcast, filter }: RowsProps) {
  const recipients = useInfiniteQuery(recipientsQuery(broadcast, filter));
  const rows = recipients.data?.pages.flatMap(({ data }) => data) ?? [];
  const people = usePeople(rows.map(({ user_id: id }) => id));
  if (recipients.isPending) return <SkeletonList rows={5} />;
  if (recipients.isError && rows.length === 0)
    return <ErrorState error={recipients.error} onRetry={() => void recipients.refetch()} />;
  if (rows.length === 0) return <EmptyState icon={Users} title={t('noRecipients')} />;
  return (
    <>
      <Table
        label={t('recipients')}
        rows={rows}
        rowKey={({ id }) => id}
        columns={[
          {
            title: t('recipient'),
            cell: (row) => <Who recipient={row} person={people.get(row.user_id)} />,
          },
          { title: t('state'), cell: ({ status }) => <RecipientStatus status={status} /> },
          {
            title: t('platform'),
            isMinor: true,
            cell: ({ platform }) => platform && <PlatformBadge platform={platform} />,
          },
          { title: t('reason'), isMinor: true, cell: (row) => <Reason recipient={row} /> },
          {
            title: t('message'),
            isAction: true,
            cell: (row) => <Message recipient={row} name={nameOf(row, people.get(row.user_id))} />,
          },
        ]}
      />
      {recipients.hasNextPage && (
        <Button className="self-center" onClick={() => void recipients.fetchNextPage()}>
          {t('more')}
        </Button>
      )}
    </>
  );
}

const nameOf = ({ address }: Recipient, person: Person | undefined): string =>
  person?.display_name || address || t('unnamed');

function Who({ recipient, person }: { readonly recipient: Recipient; readonly person: Person | undefined }) {
  const name = nameOf(recipient, person);
  return (
    <Link
      to="/contacts/$id"
      params={{ id: recipient.user_id }}
      className="block min-w-0 max-w-36 sm:max-w-56"
    >
      <span className="block truncate font-medium hover:underline">{name}</span>
      {recipient.address !== name && (
        <span className="block truncate text-muted text-xs">{recipient.address}</span>
      )}
      <span className="block text-muted text-xs md:hidden">
        <Reason recipient={recipient} />
      </span>
    </Link>
  );
}

function Reason({ recipient: { skip_reason: reason, error } }: { readonly recipient: Recipient }) {
  if (reason !== null) return <>{t(`because_${reason}`)}</>;
  return error === null ? null : <span className="break-words">{error.message}</span>;
}

function Message({ recipient, name }: { readonly recipient: Recipient; readonly name: string }) {
  if (recipient.message_id === null) return null;
  const trigger = (
    <Button size="icon" kind="quiet" aria-label={t('messageTo', { name })}>
      <MessageSquareText aria-hidden className="size-4" />
    </Button>
  );
  return (
    <Popover trigger={trigger} title={t('messageTo', { name })}>
      <MessageText id={recipient.message_id} recipient={recipient} />
    </Popover>
  );
}

/** Loaded when the row is opened. */
function MessageText({ id, recipient }: { readonly id: string; readonly recipient: Recipient }) {
  const [isTraced, setTraced] = useState(false);
  const { data, error } = useQuery(messageQuery(id));
  if (error !== null) return <p className="text-danger text-sm">{explain(error).advice}</p>;
  if (data === undefined) return <SkeletonList rows={1} />;
  return (
    <div className="flex flex-col gap-2 text-sm">
      <p className="untrusted whitespace-pre-wrap break-words">{data.text}</p>
      <p className="untrusted text-muted">
        <Reason recipient={recipient} />
      </p>
      <Link
        to="/inbox/$number"
        params={{ number: String(data.conversation_number) }}
        className="text-accent-text hover:underline"
      >
        {t('toConversation')}
      </Link>
      <Button size="sm" className="self-start" onClick={() => setTraced(true)}>
        <History aria-hidden className="size-4" />
        {trace('open')}
      </Button>
      {isTraced && (
        <Suspense>
          <MessageTrace message={data} onClose={() => setTraced(false)} />
        </Suspense>
      )}
    </div>
  );
}
