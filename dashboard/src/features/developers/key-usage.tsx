import { useQuery } from '@tanstack/react-query';
import type { ApiKey } from '../../api/session-paths';
import { Status } from '../../kit/badge';
import { messages as t } from './messages';
import { keyUsageQuery } from './queries';

/** The used share of a key's hourly limit. */
export function KeyUsage({ apiKey }: { readonly apiKey: ApiKey }) {
  const { id, rate_limit: limit, name } = apiKey;
  const used = useQuery(keyUsageQuery).data?.get(id);
  if (limit === 0) return t('unlimited');
  // A revoked key has no usage.
  if (used === undefined) return t('perHour', { limit });
  const text = t('usedOf', { used, limit });
  return (
    <div className="flex w-40 flex-col gap-1">
      <progress
        aria-label={`${name}: ${text}`}
        max={limit}
        value={Math.min(used, limit)}
        className={`h-1.5 w-full appearance-none overflow-hidden rounded-full bg-hover [&::-webkit-progress-bar]:bg-hover ${colorOf(used / limit)}`}
      />
      {used >= limit ? (
        <Status tone="warning">{t('allUsed', { limit })}</Status>
      ) : (
        <span className="text-muted text-xs tabular-nums">{text}</span>
      )}
    </div>
  );
}

const colorOf = (share: number): string =>
  share >= 0.9
    ? '[&::-moz-progress-bar]:bg-warning-fill [&::-webkit-progress-value]:bg-warning-fill'
    : '[&::-moz-progress-bar]:bg-accent [&::-webkit-progress-value]:bg-accent';
