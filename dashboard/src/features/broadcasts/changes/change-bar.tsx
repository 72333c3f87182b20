import type { BroadcastChange, ChangeKind } from '../../../api/broadcast-paths';
import { language } from '../../../i18n/language';
import { platformName } from '../../../kit/platform';
import { changeMessages as t } from './messages';

type Counts = BroadcastChange['platforms'][number];
const SHOWN = ['changed', 'impossible', 'unsupported', 'open', 'waiting'] as const;
type Shown = (typeof SHOWN)[number];

const COLOURS: Readonly<Record<Shown, string>> = {
  changed: 'bg-success-fill',
  impossible: 'bg-danger-fill',
  unsupported: 'bg-line-strong',
  open: 'bg-accent',
  waiting: 'bg-transparent',
};

interface ChangeBarProps {
  readonly counts: Counts;
  readonly kind: ChangeKind;
  readonly isRunning: boolean;
}

/** The number of recipients of a platform with each result, as a bar and as text. */
export function ChangeBar({ counts, kind, isRunning }: ChangeBarProps) {
  const { platform, total, open, changed, unsupported, impossible } = counts;
  const rest = Math.max(0, total - open - changed - unsupported - impossible);
  const all = { open, changed, unsupported, impossible, waiting: rest };
  const shown = SHOWN.filter((each) => all[each] > 0);
  const nameOf = (each: Shown) => {
    if (each === 'changed') return t(kind === 'edit' ? 'edited' : 'recalled');
    return each === 'waiting' && !isRunning ? t('leftOut') : t(each);
  };
  const sum = shown.reduce((count, each) => count + all[each], 0);
  const words = shown.map((each) => `${nameOf(each)} ${all[each]}`);
  return (
    <div className="flex flex-col gap-1.5">
      <div
        role="img"
        aria-label={`${platformName(platform)}: ${words.join(', ')}`}
        className="flex h-2 w-full overflow-hidden rounded-full bg-hover"
      >
        {shown.map((each) => (
          <span key={each} className={COLOURS[each]} style={{ width: `${(all[each] * 100) / sum}%` }} />
        ))}
      </div>
      <ul className="flex flex-wrap gap-x-4 gap-y-0.5 text-muted text-xs tabular-nums">
        {shown.map((each) => (
          <li key={each} className="inline-flex items-center gap-1.5">
            <span aria-hidden className={`size-2 rounded-full border border-line-strong ${COLOURS[each]}`} />
            {`${nameOf(each)} ${all[each].toLocaleString(language)}`}
          </li>
        ))}
      </ul>
    </div>
  );
}
