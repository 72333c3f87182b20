import type { ReactNode } from 'react';
import { usePermissions } from '../../api/session';
import { Page } from '../../kit/page';
import { SectionLinks } from '../../kit/section-links';
import { messages as events } from './event-messages';
import { messages as keys } from './messages';
import { messages as apps } from './oauth-app-messages';
import { messages as reference } from './reference/messages';
import { messages as requests } from './request-messages';
import { messages as t } from './webhook-messages';

/** Webhooks receive the events of all conversations. */
const WEBHOOKS = '/developers/webhooks';

const SECTIONS = [
  { to: '/developers/keys', title: keys('keysTitle') },
  { to: '/developers/apps', title: apps('title') },
  { to: WEBHOOKS, title: t('title') },
  { to: '/developers/events', title: events('title') },
  { to: '/developers/requests', title: requests('title') },
  { to: '/developers/reference', title: reference('title') },
];

interface DevelopersPageProps {
  readonly title: string;
  readonly description: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** The layout of the developer screens. */
export function DevelopersPage({ title, description, actions, children }: DevelopersPageProps) {
  const { seesAll } = usePermissions();
  const sections = SECTIONS.filter(({ to }) => seesAll || to !== WEBHOOKS);
  return (
    <Page title={title} description={description} actions={actions}>
      <SectionLinks label={t('developers')} sections={sections} />
      {children}
    </Page>
  );
}
