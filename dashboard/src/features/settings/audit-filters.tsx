import { useInfiniteQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { Input } from '../../kit/field';
import { Filters } from '../../kit/filters';
import { Select } from '../../kit/select';
import { ACTIONS, type Action, type AuditFilter, SYSTEM } from './audit-log';
import { messages as t } from './audit-messages';
import { keyNamesQuery, membersQuery } from './queries';

const ACTION_NAMES = {
  '': t('anyAction'),
  ...Object.fromEntries(ACTIONS.map((each) => [each, t(each)])),
} as Record<Action | '', string>;

interface AuditFiltersProps {
  readonly filter: AuditFilter;
  readonly onChange: (filter: AuditFilter) => void;
}

export function AuditFilters({ filter, onChange }: AuditFiltersProps) {
  const pages = useInfiniteQuery(membersQuery).data?.pages ?? [];
  const members = pages.flatMap(({ data }) => data).map(({ id, user }) => [id, user.display_name]);
  const keyPages = useInfiniteQuery(keyNamesQuery).data?.pages ?? [];
  const keys = keyPages
    .flatMap(({ data }) => data)
    .map(({ id, name }) => [id, `${name} (${t('apiKey')})`] as const);
  return (
    <Filters>
      <Select
        className="max-w-52"
        label={t('actor')}
        value={filter.actor}
        onChange={(actor) => onChange({ ...filter, actor })}
        options={{
          '': t('anyActor'),
          ...Object.fromEntries(members),
          ...Object.fromEntries(keys),
          [SYSTEM]: t('system'),
        }}
      />
      <Select
        className="max-w-72"
        label={t('action')}
        value={filter.action}
        onChange={(action) => onChange({ ...filter, action })}
        options={ACTION_NAMES}
      />
      <Day label={t('since')} value={filter.since} onChange={(since) => onChange({ ...filter, since })} />
      <Day label={t('until')} value={filter.until} onChange={(until) => onChange({ ...filter, until })} />
    </Filters>
  );
}

interface DayProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function Day({ label, value, onChange }: DayProps) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1 sm:flex-row sm:items-center sm:gap-2">
      <label htmlFor={id} className="text-muted text-sm">
        {label}
      </label>
      <Input
        id={id}
        type="date"
        className="sm:w-40"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}
