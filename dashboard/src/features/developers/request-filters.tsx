import { useInfiniteQuery } from '@tanstack/react-query';
import { Input } from '../../kit/field';
import { Filters } from '../../kit/filters';
import { Select } from '../../kit/select';
import { appsQuery } from './oauth-app-queries';
import { keysQuery } from './queries';
import { messages as t } from './request-messages';
import type { RequestFilter } from './request-queries';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

interface RequestFiltersProps {
  readonly filter: RequestFilter;
  readonly onChange: (filter: RequestFilter) => void;
}

export function RequestFilters({ filter, onChange }: RequestFiltersProps) {
  const statuses = {
    any: t('anyStatus'),
    success: t('success'),
    refused: t('anyRefused'),
    failed: t('anyFailed'),
  };
  return (
    <Filters>
      <Input
        type="search"
        aria-label={t('pathPrefix')}
        placeholder={t('pathPrefix')}
        className="min-w-40 flex-1"
        maxLength={256}
        value={filter.pathPrefix}
        onChange={(event) => onChange({ ...filter, pathPrefix: event.target.value })}
      />
      <Input
        type="search"
        aria-label={t('requestId')}
        placeholder={t('requestId')}
        className="min-w-40 flex-1"
        maxLength={128}
        value={filter.requestId}
        onChange={(event) => onChange({ ...filter, requestId: event.target.value })}
      />
      <Select
        className="max-w-36"
        label={t('method')}
        value={filter.method}
        onChange={(method) => onChange({ ...filter, method })}
        options={{
          '': t('anyMethod'),
          ...Object.fromEntries(METHODS.map((method) => [method, method])),
        }}
      />
      <Select
        className="max-w-44"
        label={t('status')}
        value={filter.status}
        onChange={(status) => onChange({ ...filter, status })}
        options={statuses}
      />
      <ClientFilter filter={filter} onChange={onChange} />
    </Filters>
  );
}

function ClientFilter({ filter, onChange }: RequestFiltersProps) {
  const keys = useInfiniteQuery(keysQuery).data?.pages.flatMap(({ data }) => data) ?? [];
  const apps = useInfiniteQuery(appsQuery).data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <Select
      className="max-w-44"
      label={t('client')}
      value={filter.credentialId}
      onChange={(credentialId) => onChange({ ...filter, credentialId })}
      options={{
        '': t('anyClient'),
        ...Object.fromEntries([...keys, ...apps].map(({ id, name }) => [id, name])),
      }}
    />
  );
}
