import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { CalendarRange, Download } from 'lucide-react';
import { useState } from 'react';
import type { AnalyticsQuery, AnalyticsResource, LocalAnalytics } from '../../api/analytics-paths';
import { buttonLook } from '../../kit/button';
import { EmptyState, ErrorState, SkeletonList } from '../../kit/feedback';
import { Page } from '../../kit/page';
import { SectionLinks } from '../../kit/section-links';
import { hasPartHours } from './labels';
import { messages as t } from './messages';
import { analyticsQuery, exportUrl, ownTimeZone, queryOf, type View } from './queries';
import { Section } from './section';
import { GROUPS, MEASURES } from './series';
import { ViewForm } from './view-form';

const RESOURCES = Object.keys(MEASURES) as AnalyticsResource[];
const SECTIONS = RESOURCES.map((resource) => ({ to: `/analytics/${resource}`, title: t(resource) }));
const TITLES: Readonly<Record<AnalyticsResource, readonly string[]>> = {
  messages: [t('messages')],
  conversations: [t('conversations'), t('waitingTimes')],
  calls: [t('calls'), t('callTimes')],
  broadcasts: [t('broadcasts'), t('recipients')],
  webhooks: [t('attempts')],
};

export function AnalyticsScreen() {
  const { resource } = useParams({ from: '/shell/analytics/$resource' });
  const [view, setView] = useState<View>(() => ({
    range: 'week',
    from: '',
    to: '',
    timeZone: ownTimeZone(),
    interval: 'day',
    group: '',
  }));
  const group = GROUPS[resource].find((each) => each === view.group) ?? '';
  const asked = queryOf(resource, { ...view, group });
  const link = typeof asked === 'object' && (
    <a href={exportUrl(asked)} download className={buttonLook()}>
      <Download aria-hidden className="size-4" />
      {t('export')}
    </a>
  );
  return (
    <Page title={t('title')} description={t('help')} actions={link}>
      <SectionLinks label={t('title')} sections={SECTIONS} />
      <ViewForm resource={resource} view={view} onChange={setView} />
      {typeof asked === 'object' ? (
        <Found key={resource} query={asked} />
      ) : (
        <EmptyState icon={CalendarRange} title={t(asked === 'days' ? 'tooMany' : 'noDates')} />
      )}
    </Page>
  );
}

function Found({ query }: { readonly query: AnalyticsQuery }) {
  const { data, isError, error, refetch } = useQuery(analyticsQuery(query));
  if (data !== undefined) return <Sections found={data} />;
  if (isError) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return <SkeletonList rows={6} />;
}

function Sections({ found }: { readonly found: LocalAnalytics }) {
  const { resource, time_zone: timeZone, from, to } = found;
  return (
    <>
      {hasPartHours(timeZone, [`${from}T00:00:00Z`, `${to}T00:00:00Z`]) && (
        <p className="text-muted text-sm">{t('partHours')}</p>
      )}
      {MEASURES[resource].map((measures, index) => (
        <Section
          key={measures[0]?.key}
          title={TITLES[resource][index] ?? ''}
          found={found}
          measures={measures}
        />
      ))}
      <p className="max-w-2xl text-muted text-sm">{t(`note_${resource}`)}</p>
    </>
  );
}
