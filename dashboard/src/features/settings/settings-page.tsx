import type { ReactNode } from 'react';
import { Page } from '../../kit/page';
import { SectionLinks } from '../../kit/section-links';
import { messages as auditLog } from './audit-messages';
import { messages as t } from './messages';
import { messages as notifications } from './notification-messages';
import { messages as teams } from './team-messages';

const SECTIONS = [
  { to: '/settings/profile', title: t('profile') },
  { to: '/settings/sign-in', title: t('signIn') },
  { to: '/settings/notifications', title: notifications('title') },
  { to: '/settings/members', title: t('members') },
  { to: '/settings/teams', title: teams('title') },
  { to: '/settings/workspace', title: t('workspace') },
  { to: '/settings/audit-log', title: auditLog('title') },
];

interface SettingsPageProps {
  readonly title: string;
  readonly description: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** The layout of every settings screen. */
export function SettingsPage({ title, description, actions, children }: SettingsPageProps) {
  return (
    <Page title={title} description={description} actions={actions}>
      <SectionLinks label={t('title')} sections={SECTIONS} />
      {children}
    </Page>
  );
}
