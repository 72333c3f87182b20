import type { ReactNode } from 'react';
import { Page } from '../../kit/page';
import { SectionLinks } from '../../kit/section-links';
import { messages as t } from './messages';

const SECTIONS = [
  { to: '/broadcasts', title: t('title'), isExact: true },
  { to: '/broadcasts/segments', title: t('segments') },
  { to: '/broadcasts/templates', title: t('templates') },
];

interface BroadcastsPageProps {
  readonly title: string;
  readonly description: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** The layout of the list screens of this area. */
export function BroadcastsPage({ title, description, actions, children }: BroadcastsPageProps) {
  return (
    <Page title={title} description={description} actions={actions}>
      <SectionLinks label={t('title')} sections={SECTIONS} />
      {children}
    </Page>
  );
}
