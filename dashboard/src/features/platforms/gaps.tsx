import { TriangleAlert } from 'lucide-react';
import { fullTime } from '../../i18n/time';
import { Card } from '../../kit/page';
import { messages as t } from './messages';
import type { Connection } from './queries';

/** The periods whose messages may be missing, newest first. Shows nothing if there are none. */
export function Gaps({ gaps }: Pick<Connection, 'gaps'>) {
  if (gaps.length === 0) return null;
  return (
    <Card title={t('gaps')} description={t('gapsHelp')}>
      <ul className="flex flex-col gap-3 text-sm">
        {gaps.map((gap) => (
          <li key={`${gap.since} ${gap.until} ${gap.reason}`} className="flex gap-2">
            <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-warning" />
            <div className="min-w-0">
              <p className="font-medium">{period(gap)}</p>
              <p className="untrusted break-words text-muted">{gap.reason}</p>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** The service reports a gap from 1970 on if it does not know when the gap began. */
function period({ since, until }: Connection['gaps'][number]): string {
  const end = fullTime(until);
  return Date.parse(since) === 0 ? t('gapUntil', { end }) : t('gapPeriod', { start: fullTime(since), end });
}
