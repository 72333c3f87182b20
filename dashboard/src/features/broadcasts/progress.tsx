import { language } from '../../i18n/language';
import { messages as t } from './messages';
import type { Broadcast } from './queries';

/** The statuses of a bar in display order. A queued recipient counts as pending. */
export const COUNTED = [
  'read',
  'delivered',
  'sent',
  'uncertain',
  'failed',
  'expired',
  'canceled',
  'skipped',
  'pending',
] as const;
export type Counted = (typeof COUNTED)[number];

const COLOURS: Readonly<Record<Counted, string>> = {
  read: 'bg-success-fill',
  delivered: 'bg-success-fill/60',
  sent: 'bg-accent',
  uncertain: 'bg-warning-fill',
  failed: 'bg-danger-fill',
  expired: 'bg-danger-fill/60',
  canceled: 'bg-line-strong',
  skipped: 'bg-line-strong/50',
  pending: 'bg-transparent',
};

export type StatusCounts = Readonly<Record<Counted, number>>;

const shown = (counts: StatusCounts) => COUNTED.filter((status) => counts[status] > 0);

interface StatusBarProps {
  readonly label: string;
  readonly counts: StatusCounts;
}

/** The number of recipients with each status, as a bar and as text. */
export function StatusBar({ label, counts }: StatusBarProps) {
  return (
    <div className="flex flex-col gap-1.5">
      <Bar label={label} counts={counts} />
      <ul className="flex flex-wrap gap-x-4 gap-y-0.5 text-muted text-xs tabular-nums">
        {shown(counts).map((status) => (
          <li key={status} className="inline-flex items-center gap-1.5">
            <span
              aria-hidden
              className={`size-2 rounded-full border border-line-strong ${COLOURS[status]}`}
            />
            {`${t(status)} ${counts[status].toLocaleString(language)}`}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Bar({ label, counts }: StatusBarProps) {
  const total = COUNTED.reduce((sum, status) => sum + counts[status], 0);
  const words = shown(counts).map((status) => `${t(status)} ${counts[status]}`);
  return (
    <div
      role="img"
      aria-label={`${label}: ${words.join(', ')}`}
      className="flex h-2 w-full overflow-hidden rounded-full bg-hover"
    >
      {shown(counts).map((status) => (
        <span
          key={status}
          className={COLOURS[status]}
          style={{ width: `${(counts[status] * 100) / total}%` }}
        />
      ))}
    </div>
  );
}

/** The number of recipients that are no longer pending. */
export const doneOf = ({ counts }: Broadcast): string =>
  t('ofTotal', { done: counts.total - counts.pending, total: counts.total });

/** The progress of a broadcast in a list row. */
export function ProgressCell({ broadcast }: { readonly broadcast: Broadcast }) {
  if (broadcast.counts.total === 0) return <span className="text-muted">–</span>;
  return (
    <div className="flex min-w-32 flex-col gap-1">
      <Bar label={broadcast.name} counts={broadcast.counts} />
      <span className="text-muted text-xs tabular-nums">{doneOf(broadcast)}</span>
    </div>
  );
}
