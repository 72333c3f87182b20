import { degradationText } from '../../kit/degradations';
import { PlatformBadge } from '../../kit/platform';
import { actionMessages as t } from './action-messages';
import { billedText } from './billing';
import { messages } from './messages';
import type { DryRun, Recipient } from './queries';

/** The recipients that a broadcast would reach, in total and by platform, and those that it would skip. */
export function DryRunSummary({ dryRun }: { readonly dryRun: DryRun }) {
  const { recipients, skips, parts, eta_seconds: seconds, without_zone: withoutZone, platforms } = dryRun;
  const skipped = Object.entries(skips).filter(([, count]) => count > 0);
  return (
    <>
      <ul className="list-disc pl-5 text-sm">
        <li>{t('willReach', { count: recipients })}</li>
        <li>{t('willSend', { count: parts })}</li>
        <li>{t('willTake', { minutes: Math.ceil(seconds / 60) })}</li>
        {skipped.map(([reason, count]) => (
          <li key={reason}>
            {t('willSkip', {
              count,
              reason: messages(`because_${reason as NonNullable<Recipient['skip_reason']>}`),
            })}
          </li>
        ))}
        {withoutZone > 0 && <li className="text-warning">{t('withoutZone', { count: withoutZone })}</li>}
      </ul>
      {platforms.length > 0 && (
        <ul aria-label={t('byPlatform')} className="mt-3 flex flex-col gap-2 text-sm">
          {platforms.map((each) => (
            <Platform key={each.platform} {...each} />
          ))}
        </ul>
      )}
    </>
  );
}

type PlatformProps = DryRun['platforms'][number];

function Platform(props: PlatformProps) {
  const { platform, recipients, parts, billed, degradations, too_long: tooLong } = props;
  const figures = [
    t('toRecipients', { count: recipients }),
    t('inParts', { count: parts }),
    ...(billed === null ? [] : [t('bills', { what: billedText(billed.count, billed.unit) })]),
  ];
  return (
    <li className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
      <PlatformBadge platform={platform} />
      <span className="tabular-nums">{figures.join(' · ')}</span>
      {degradations.length > 0 && (
        <span className="untrusted text-warning">{degradationText(degradations)}</span>
      )}
      {tooLong > 0 && <span className="text-danger">{t('tooLong', { count: tooLong })}</span>}
    </li>
  );
}
