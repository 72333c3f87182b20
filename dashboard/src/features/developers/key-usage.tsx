import type { ApiKey } from '../../api/session-paths';
import { Status } from '../../kit/badge';
import { messages as t } from './messages';

/** How much of its hourly limit a key has used. */
export function KeyUsage({ apiKey }: { readonly apiKey: ApiKey }) {
  const { rate_limit: limit, requests_this_hour: used, name } = apiKey;
  if (limit === 0 || used === null) return t('unlimited');
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
    ? '[&::-moz-progress-bar]:bg-warning [&::-webkit-progress-value]:bg-warning'
    : '[&::-moz-progress-bar]:bg-accent [&::-webkit-progress-value]:bg-accent';
