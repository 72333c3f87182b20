import { useQuery } from '@tanstack/react-query';
import { Filters } from '../../kit/filters';
import { platformName } from '../../kit/platform';
import { Select } from '../../kit/select';
import { messages as t } from './messages';
import { type Broadcast, platformCountsQuery, type Recipient, type RecipientFilter } from './queries';

const STATUSES = [
  'pending',
  'queued',
  'sending',
  'sent',
  'delivered',
  'read',
  'failed',
  'uncertain',
  'skipped',
  'canceled',
  'expired',
] as const;
const REASONS = [
  'opted_out',
  'no_route',
  'duplicate',
  'frequency_cap',
  'blocked',
  'invalid_address',
  'missing_variable',
] as const;

interface RecipientFiltersProps {
  readonly broadcast: Broadcast;
  readonly filter: RecipientFilter;
  readonly onChange: (filter: RecipientFilter) => void;
}

export function RecipientFilters({ broadcast, filter, onChange }: RecipientFiltersProps) {
  const counts = useQuery(platformCountsQuery(broadcast)).data ?? [];
  const platforms = [...new Set(counts.flatMap(({ platform }) => platform ?? []))];
  const statuses = Object.fromEntries(STATUSES.map((status) => [status, t(status)]));
  const reasons = Object.fromEntries(REASONS.map((reason) => [reason, t(`because_${reason}`)]));
  return (
    <Filters>
      <Select
        className="max-w-44"
        label={t('stateOfRecipients')}
        value={filter.status}
        onChange={(status) => onChange({ ...filter, status })}
        options={{ '': t('anyState'), ...statuses } as Record<Recipient['status'] | '', string>}
      />
      <Select
        className="max-w-44"
        label={t('platform')}
        value={filter.platform}
        onChange={(platform) => onChange({ ...filter, platform })}
        options={{
          '': t('anyPlatform'),
          ...Object.fromEntries(platforms.map((id) => [id, platformName(id)])),
        }}
      />
      <Select
        className="max-w-60"
        label={t('skipReason')}
        value={filter.reason}
        onChange={(reason) => onChange({ ...filter, reason })}
        options={{ '': t('anyReason'), ...reasons } as Record<RecipientFilter['reason'], string>}
      />
    </Filters>
  );
}
