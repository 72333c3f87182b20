import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus, Webhook as WebhookIcon } from 'lucide-react';
import { useState } from 'react';
import { usePermissions } from '../../api/session';
import { webhooksQuery } from '../../api/webhooks';
import { shortTime } from '../../i18n/time';
import { Badge, Status } from '../../kit/badge';
import { Button } from '../../kit/button';
import { EmptyState, ErrorState, SkeletonList } from '../../kit/feedback';
import { Table } from '../../kit/table';
import { CreateWebhook } from './create-webhook';
import { DevelopersPage } from './developers-page';
import { messages as t } from './webhook-messages';
import type { Webhook } from './webhook-queries';

export function WebhooksScreen() {
  const { canWrite } = usePermissions();
  const [isCreating, setCreating] = useState(false);
  const create = (
    <Button kind="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden className="size-4" />
      {t('create')}
    </Button>
  );
  return (
    <DevelopersPage title={t('title')} description={t('help')} actions={canWrite ? create : undefined}>
      <Webhooks />
      {isCreating && <CreateWebhook onClose={() => setCreating(false)} />}
    </DevelopersPage>
  );
}

function Webhooks() {
  const { data, error, refetch } = useQuery(webhooksQuery);
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <SkeletonList rows={3} />;
  if (data.length === 0)
    return (
      <EmptyState icon={WebhookIcon} title={t('none')}>
        {t('noneHelp')}
      </EmptyState>
    );
  return (
    <Table
      label={t('title')}
      rows={data}
      rowKey={({ id }) => id}
      columns={[
        { title: t('address'), cell: (webhook) => <Address webhook={webhook} /> },
        { title: t('state'), cell: (webhook) => <WebhookState webhook={webhook} /> },
        { title: t('events'), isMinor: true, cell: ({ events }) => <Badge>{eventsText(events)}</Badge> },
        { title: t('lastSuccess'), isMinor: true, cell: ({ last_success_at: at }) => timeText(at) },
        { title: t('lastFailure'), isMinor: true, cell: ({ last_failure_at: at }) => timeText(at) },
      ]}
    />
  );
}

function Address({ webhook: { id, url, description } }: { readonly webhook: Webhook }) {
  return (
    <Link to="/developers/webhooks/$id" params={{ id }} className="block min-w-0 max-w-32 sm:max-w-none">
      <span className="block truncate font-medium hover:underline">{url}</span>
      {description !== null && <span className="block truncate text-muted text-xs">{description}</span>}
    </Link>
  );
}

/** Enabled, failing, or disabled with the reason. */
export function WebhookState({ webhook }: { readonly webhook: Webhook }) {
  const { status, disabled_reason: reason, failing_since: failingSince } = webhook;
  if (status !== 'enabled')
    return (
      <Status tone={status === 'disabled' ? 'neutral' : 'danger'}>
        {t(`reason_${reason ?? 'requested'}`)}
      </Status>
    );
  if (failingSince !== null)
    return <Status tone="warning">{t('failingSince', { at: shortTime(failingSince) })}</Status>;
  return <Status tone="success">{t('enabled')}</Status>;
}

export const timeText = (at: string | null): string => (at === null ? t('never') : shortTime(at));

export function eventsText(events: readonly string[]): string {
  if (events.includes('*')) return t('allEvents');
  return events.length === 1 ? (events[0] ?? '') : t('eventCount', { count: events.length });
}
