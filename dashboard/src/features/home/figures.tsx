import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Home } from '../../api/home-paths';
import { language } from '../../i18n/language';
import { duration } from '../../i18n/time';
import { Status, type Tone } from '../../kit/badge';
import { messages as t } from './messages';

/** Delay above which deliveries count as late. The alarm that the service logs has the same limit. */
const LATE_MS = 60_000;

const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
const whole = new Intl.NumberFormat(language);

export function Figures({ home: { deliveries, webhooks } }: { readonly home: Home }) {
  return (
    <section aria-label={t('figures')} className="grid gap-4 md:grid-cols-3">
      <Figure title={t('waiting')}>
        <Waiting at={deliveries.oldest_waiting_at} />
      </Figure>
      <Figure title={t('troubled')}>
        <Troubled deliveries={deliveries} />
      </Figure>
      {webhooks !== null && (
        <Figure title={t('webhooks')}>
          <Webhooks webhooks={webhooks} />
        </Figure>
      )}
    </section>
  );
}

function Figure({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="flex flex-col items-start gap-2 rounded-lg border border-line bg-surface p-4">
      <h2 className="text-muted text-sm">{title}</h2>
      {children}
    </div>
  );
}

function Value({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return (
    <Status tone={tone} size="lg">
      {children}
    </Status>
  );
}

function Waiting({ at }: { readonly at: string | null }) {
  if (at === null) return <Value tone="success">{t('waitingNone')}</Value>;
  const age = Math.max(0, Date.now() - Date.parse(at));
  return <Value tone={age > LATE_MS ? 'warning' : 'info'}>{duration(age)}</Value>;
}

function Troubled({ deliveries: { troubled, is_counted_out } }: Pick<Home, 'deliveries'>) {
  if (troubled === 0) return <Value tone="success">{t('troubledNone')}</Value>;
  const count = whole.format(troubled);
  return (
    <>
      <Value tone="danger">{is_counted_out ? count : t('more', { count })}</Value>
      <Link
        to="/inbox"
        search={{ view: 'failures' }}
        className="mt-auto inline-flex items-center text-accent-text text-sm hover:underline touch:min-h-10"
      >
        {t('look')}
      </Link>
    </>
  );
}

function Webhooks({
  webhooks: { enabled, troubled, attempts, succeeded },
}: {
  readonly webhooks: NonNullable<Home['webhooks']>;
}) {
  return (
    <>
      {attempts > 0 ? (
        <Value tone={succeeded === attempts ? 'success' : 'warning'}>
          {t('webhookRate', { percent: percent.format(succeeded / attempts), count: attempts })}
        </Value>
      ) : (
        <Value tone="neutral">{t(enabled === 0 ? 'webhooksNone' : 'webhookQuiet')}</Value>
      )}
      {troubled > 0 && (
        <>
          <Status tone="danger">{t('webhookTroubled', { count: troubled })}</Status>
          <Link
            to="/developers/webhooks"
            className="mt-auto inline-flex items-center text-accent-text text-sm hover:underline touch:min-h-10"
          >
            {t('toWebhooks')}
          </Link>
        </>
      )}
    </>
  );
}
