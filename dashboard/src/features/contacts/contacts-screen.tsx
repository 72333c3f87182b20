import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ContactRound, Download, Upload, UserPlus } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { usePermissions } from '../../api/session';
import { shortTime } from '../../i18n/time';
import { useAddressFilter } from '../../kit/address-filter';
import { Avatar } from '../../kit/avatar';
import { Status } from '../../kit/badge';
import { Button, buttonLook } from '../../kit/button';
import { EmptyState, ErrorState, SkeletonList } from '../../kit/feedback';
import { Input } from '../../kit/field';
import { Filters } from '../../kit/filters';
import { Page } from '../../kit/page';
import { PlatformBadge } from '../../kit/platform';
import { Select } from '../../kit/select';
import { Table } from '../../kit/table';
import { CreateContact } from './create-contact';
import { messages as t } from './messages';
import { type Contact, type ContactFilter, contactsQuery, exportUrl, platformsQuery } from './queries';

const EVERYBODY: ContactFilter = { text: '', platform: '', status: 'all' };

const STATES = { all: t('anyState'), active: t('active'), blocked: t('blocked') };
const isKnown = ({ status }: ContactFilter) => status in STATES;

export function ContactsScreen() {
  const { canWrite } = usePermissions();
  const [filter, setFilter] = useAddressFilter(EVERYBODY, isKnown);
  const [isCreating, setCreating] = useState(false);
  const actions = (
    <>
      <a href={exportUrl(filter)} download className={buttonLook()}>
        <Download aria-hidden className="size-4" />
        {t('export')}
      </a>
      <Link to="/contacts/imports" className={buttonLook()}>
        <Upload aria-hidden className="size-4" />
        {t('import')}
      </Link>
      {canWrite && (
        <Button kind="primary" onClick={() => setCreating(true)}>
          <UserPlus aria-hidden className="size-4" />
          {t('create')}
        </Button>
      )}
    </>
  );
  return (
    <Page title={t('title')} description={t('help')} actions={actions}>
      <ContactFilters filter={filter} onChange={setFilter} />
      <Contacts filter={useDeferredValue(filter)} />
      {isCreating && <CreateContact onClose={() => setCreating(false)} />}
    </Page>
  );
}

const isEverybody = ({ text, platform, status }: ContactFilter) =>
  text === '' && platform === '' && status === 'all';

interface FiltersProps {
  readonly filter: ContactFilter;
  readonly onChange: (filter: ContactFilter) => void;
}

function ContactFilters({ filter, onChange }: FiltersProps) {
  const platforms = useQuery(platformsQuery).data ?? [];
  return (
    <Filters>
      <Input
        type="search"
        aria-label={t('search')}
        placeholder={t('search')}
        className="min-w-48 flex-1"
        value={filter.text}
        onChange={(event) => onChange({ ...filter, text: event.target.value })}
      />
      <Select
        className="max-w-44"
        label={t('platform')}
        value={filter.platform}
        onChange={(platform) => onChange({ ...filter, platform })}
        options={{
          '': t('anyPlatform'),
          ...Object.fromEntries(platforms.map(({ id, name }) => [id, name])),
        }}
      />
      <Select
        className="max-w-44"
        label={t('state')}
        value={filter.status}
        onChange={(status) => onChange({ ...filter, status })}
        options={STATES}
      />
    </Filters>
  );
}

function Contacts({ filter }: { readonly filter: ContactFilter }) {
  const contacts = useInfiniteQuery(contactsQuery(filter));
  if (contacts.isPending) return <SkeletonList rows={6} />;
  if (contacts.isError) return <ErrorState error={contacts.error} onRetry={() => void contacts.refetch()} />;
  const rows = contacts.data.pages.flatMap(({ data }) => data);
  if (rows.length === 0)
    return (
      <EmptyState icon={ContactRound} title={t('none')}>
        {isEverybody(filter) ? t('noneHelp') : t('noneFound')}
      </EmptyState>
    );
  return (
    <>
      <Table
        label={t('title')}
        rows={rows}
        rowKey={({ id }) => id}
        columns={[
          { title: t('name'), cell: (contact) => <Name contact={contact} /> },
          { title: t('platforms'), cell: (contact) => <Platforms contact={contact} /> },
          { title: t('state'), isMinor: true, cell: ({ status }) => <ContactState status={status} /> },
          { title: t('created'), isMinor: true, cell: ({ created_at }) => shortTime(created_at) },
        ]}
      />
      {contacts.hasNextPage && (
        <Button className="self-center" onClick={() => void contacts.fetchNextPage()}>
          {t('more')}
        </Button>
      )}
    </>
  );
}

function Name({ contact: { id, display_name: name, email, phone, status } }: { readonly contact: Contact }) {
  return (
    <Link
      to="/contacts/$id"
      params={{ id }}
      className="flex min-w-0 max-w-48 items-center gap-2.5 sm:max-w-none"
    >
      <Avatar name={name} />
      <span className="min-w-0">
        <span className="block truncate font-medium hover:underline">{name}</span>
        <span className="block truncate text-muted text-xs">
          {[email, phone].filter(Boolean).join(' · ')}
        </span>
        {status !== 'active' && (
          <span className="md:hidden">
            <ContactState status={status} />
          </span>
        )}
      </span>
    </Link>
  );
}

function Platforms({ contact: { identities } }: { readonly contact: Contact }) {
  const names = [...new Set(identities.map(({ platform }) => platform))];
  return (
    <div className="flex flex-wrap gap-1">
      {names.map((name) => (
        <PlatformBadge key={name} platform={name} />
      ))}
    </div>
  );
}

export function ContactState({ status }: Pick<Contact, 'status'>) {
  if (status === 'blocked') return <Status tone="danger">{t('blocked')}</Status>;
  return <Status tone="success">{t('active')}</Status>;
}
