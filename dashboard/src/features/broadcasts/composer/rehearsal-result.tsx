import type { ReactNode } from 'react';
import type { Rehearsal, RehearsedConnection } from '../../../api/rehearsals';
import { language } from '../../../i18n/language';
import { lengthOfTime } from '../../../i18n/time';
import { degradationName } from '../../../kit/degradations';
import { platformName } from '../../../kit/platform';
import { billedText } from '../billing';
import { messages as common } from '../messages';
import type { Recipient } from '../queries';
import { rehearsalMessages as t } from './rehearsal-messages';

/** The figures of a simulation: totals, figures per connection, and losses. */
export function RehearsalResult({ rehearsal }: { readonly rehearsal: Rehearsal }) {
  const { recipients, skips, parts, duration_seconds: seconds, connections } = rehearsal;
  const skipped = Object.values(skips).reduce((sum, count) => sum + count, 0);
  const longest = Math.max(1, ...connections.map((each) => each.duration_seconds));
  const perPlatform = new Map<string, number>();
  for (const { platform } of connections) perPlatform.set(platform, (perPlatform.get(platform) ?? 0) + 1);
  return (
    <>
      <dl className="grid grid-cols-2 gap-3 sm:grid-cols-5">
        <Figure name={t('duration')}>{lengthOfTime(seconds * 1_000)}</Figure>
        <Figure name={t('recipients')}>{shown(recipients)}</Figure>
        <Figure name={t('messages')}>{shown(parts)}</Figure>
        <Figure name={t('cost')}>{costOf(connections)}</Figure>
        <Figure name={t('skipped')}>{shown(skipped)}</Figure>
      </dl>
      <ul aria-label={t('byPlatform')} className="flex flex-col gap-3">
        {connections.map((each) => (
          <ConnectionBar
            key={each.connection_id ?? each.platform}
            connection={each}
            longest={longest}
            isNamed={(perPlatform.get(each.platform) ?? 0) > 1}
          />
        ))}
      </ul>
      <Losses rehearsal={rehearsal} />
    </>
  );
}

const shown = (count: number): string => count.toLocaleString(language);

function costOf(connections: readonly RehearsedConnection[]): string {
  const units = new Map<string, number>();
  for (const { billed } of connections)
    if (billed !== null) units.set(billed.unit, (units.get(billed.unit) ?? 0) + billed.count);
  if (units.size === 0) return t('nothingBilled');
  return [...units].map(([unit, count]) => billedText(count, unit)).join(', ');
}

function Figure({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-muted text-xs">{name}</dt>
      <dd className="untrusted break-words font-semibold text-lg tabular-nums leading-snug">{children}</dd>
    </div>
  );
}

interface ConnectionBarProps {
  readonly connection: RehearsedConnection;
  readonly longest: number;
  /** Whether the platform has several connections. */
  readonly isNamed: boolean;
}

function ConnectionBar({ connection, longest, isNamed }: ConnectionBarProps) {
  const { platform, name, duration_seconds: seconds } = connection;
  const label = isNamed && name !== null ? `${platformName(platform)} · ${name}` : platformName(platform);
  const time = lengthOfTime(seconds * 1_000);
  return (
    <li className="grid gap-x-4 gap-y-1 sm:grid-cols-[10rem_1fr]">
      <span className="untrusted truncate font-medium text-sm">{label}</span>
      <div className="flex min-w-0 flex-col gap-1">
        <div className="flex items-center gap-3">
          <div
            role="img"
            aria-label={`${label}: ${time}`}
            className="h-2 grow overflow-hidden rounded-full bg-hover"
          >
            <span
              className="block h-full rounded-full bg-accent"
              style={{ width: `${Math.max(1, (seconds * 100) / longest)}%` }}
            />
          </div>
          <span aria-hidden className="w-24 shrink-0 text-right text-sm tabular-nums">
            {time}
          </span>
        </div>
        <p className="untrusted text-muted text-xs">{detailsOf(connection).join(' ')}</p>
      </div>
    </li>
  );
}

function detailsOf(connection: RehearsedConnection): string[] {
  const { recipients, parts, new_chats: chats, refused, billed, limited_by: by } = connection;
  const rate = connection.rate_per_second;
  return [
    t('toRecipients', { recipients, parts }),
    ...(chats > 0 ? [t('newChats', { count: chats })] : []),
    ...(billed === null ? [] : [t('billed', { what: billedText(billed.count, billed.unit) })]),
    ...(refused > 0 ? [t('refused', { count: refused })] : []),
    ...(by === 'account' && rate !== null ? [t('byAccount', { rate })] : []),
    ...(by === 'throttle' || by === 'schedule' ? [t(`by_${by}`)] : []),
    ...(rate === null ? [t('noRate')] : []),
    ...(connection.is_live ? [] : [t('notLive')]),
  ];
}

/** Lists skipped recipients and content that platforms do not show. */
function Losses({ rehearsal }: { readonly rehearsal: Rehearsal }) {
  const { skips, refusals, degradations, without_zone: withoutZone } = rehearsal;
  const lines = [
    ...Object.entries(skips)
      .filter(([, count]) => count > 0)
      .map(([reason, count]) =>
        t('skippedFor', {
          count,
          reason: common(`because_${reason as NonNullable<Recipient['skip_reason']>}`),
        }),
      ),
    ...refusals.map(({ platform, message, recipients }) =>
      t('refusedFor', { count: recipients, platform: platformName(platform), message }),
    ),
    ...degradations.map(({ platform, degradation, recipients }) =>
      t('lost', {
        count: recipients,
        platform: platformName(platform),
        degradation: degradationName(degradation),
      }),
    ),
    ...(withoutZone > 0 ? [t('withoutZone', { count: withoutZone })] : []),
  ];
  if (lines.length === 0) return null;
  return (
    <ul aria-label={t('losses')} className="untrusted list-disc pl-5 text-sm text-warning">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}
