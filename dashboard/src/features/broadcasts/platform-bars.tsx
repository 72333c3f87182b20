import { useQuery } from '@tanstack/react-query';
import type { PlatformCount } from '../../api/broadcast-paths';
import { ErrorState, SkeletonList } from '../../kit/feedback';
import { Card } from '../../kit/page';
import { platformName } from '../../kit/platform';
import { messages as t } from './messages';
import { COUNTED, type Counted, StatusBar, type StatusCounts } from './progress';
import { type Broadcast, platformCountsQuery } from './queries';

const WAITING = new Set<PlatformCount['status']>(['queued', 'sending']);

/** The counts of each platform; recipients without a platform come last. */
export function byPlatform(rows: readonly PlatformCount[]): [string, StatusCounts][] {
  const groups = new Map<string, Record<Counted, number>>();
  for (const { platform, status, recipients } of rows) {
    const name = platform ?? '';
    const none = () => Object.fromEntries(COUNTED.map((each) => [each, 0])) as Record<Counted, number>;
    const counts = groups.get(name) ?? none();
    counts[WAITING.has(status) ? 'pending' : (status as Counted)] += recipients;
    groups.set(name, counts);
  }
  return [...groups].sort(([a], [b]) => (a === '' ? 1 : b === '' ? -1 : a.localeCompare(b)));
}

export function PlatformBars({ broadcast }: { readonly broadcast: Broadcast }) {
  const { data, error, refetch } = useQuery(platformCountsQuery(broadcast));
  if (error !== null && data === undefined)
    return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <SkeletonList rows={2} />;
  return (
    <Card title={t('byPlatform')}>
      {byPlatform(data).map(([platform, counts]) => {
        const name = platform === '' ? t('noPlatform') : platformName(platform);
        return (
          <div key={platform} className="grid gap-x-4 gap-y-1 sm:grid-cols-[8rem_1fr]">
            <span className="untrusted truncate font-medium text-sm">{name}</span>
            <StatusBar label={name} counts={counts} />
          </div>
        );
      })}
    </Card>
  );
}
