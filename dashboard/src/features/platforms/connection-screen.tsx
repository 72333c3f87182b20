import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { Unplug } from 'lucide-react';
import type { ReactNode } from 'react';
import { usePermissions } from '../../api/session';
import { language } from '../../i18n/language';
import { momentTime } from '../../i18n/time';
import { BackLink } from '../../kit/back-link';
import { buttonLook } from '../../kit/button';
import { CopyBox } from '../../kit/copy';
import { EmptyState, ErrorState, SkeletonList } from '../../kit/feedback';
import { Card, Page } from '../../kit/page';
import { CapabilityTable } from './capability-table';
import { ConnectionActions } from './connection-actions';
import { EditConnection } from './edit-connection';
import { Gaps } from './gaps';
import { ConnectionStatus, Health } from './health';
import { messages as t } from './messages';
import { type Connection, connectionsQuery, type Protocol, protocolsQuery } from './queries';

export function ConnectionScreen() {
  const { id } = useParams({ from: '/shell/platforms/$id' });
  const { data, error, refetch } = useQuery(connectionsQuery);
  const protocols = useQuery(protocolsQuery).data;
  const connection = data?.find((one) => one.id === id);
  const protocol = protocols?.find((one) => one.id === connection?.platform);
  return (
    <Page
      title={connection?.name ?? t('connection')}
      back={<BackLink to="/platforms">{t('title')}</BackLink>}
    >
      {error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <SkeletonList rows={5} />}
      {data !== undefined && connection === undefined && (
        <EmptyState icon={Unplug} title={t('gone')}>
          {t('goneHelp')}
        </EmptyState>
      )}
      {connection !== undefined && <Details connection={connection} protocol={protocol} />}
    </Page>
  );
}

interface DetailsProps {
  readonly connection: Connection;
  readonly protocol: Protocol | undefined;
}

function Details({ connection, protocol }: DetailsProps) {
  const { canManage } = usePermissions();
  return (
    <>
      <div className="grid gap-4 lg:grid-cols-2">
        <Card title={t('health')}>
          <div className="flex flex-wrap items-center gap-2">
            <ConnectionStatus status={connection.status} />
            <span className="text-muted text-sm">
              {t('since', { at: momentTime(connection.health.since) })}
            </span>
          </div>
          <Health health={connection.health} />
          {canManage && <ConnectionActions connection={connection} />}
        </Card>
        <Card title={t('account')}>
          <Facts connection={connection} protocol={protocol} />
        </Card>
      </div>
      <Gaps gaps={connection.gaps} />
      <Counters counters={connection.counters} />
      {protocol?.ingress.includes('webhook') && connection.settings.ingress === 'webhook' && (
        <Card title={t('webhookAddress')} description={t('webhookAddressHelp')}>
          <CopyBox label={t('webhookAddress')} text={connection.webhook_url} />
        </Card>
      )}
      {canManage && protocol !== undefined && (
        <EditConnection key={connection.updated_at} connection={connection} protocol={protocol} />
      )}
      {protocol !== undefined && (
        <Card title={t('capabilities')} description={t('capabilitiesHelp', { name: protocol.name })}>
          <CapabilityTable capabilities={protocol.capabilities} />
        </Card>
      )}
      {!canManage && <p className="text-muted">{t('managersConnect')}</p>}
      <Link to="/inbox" className={buttonLook({ className: 'self-start' })}>
        {t('toInbox')}
      </Link>
    </>
  );
}

function Facts({ connection, protocol }: DetailsProps) {
  const { identity, last_event_at, last_error, created_at } = connection;
  const rate = protocol?.rate.per_second ?? null;
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
      <Fact name={t('platform')}>{protocol?.name ?? connection.platform}</Fact>
      <Fact name={t('identity')}>
        {identity === null
          ? t('unknownYet')
          : [identity.name, identity.handle, identity.external_id].filter(Boolean).join(' · ')}
      </Fact>
      <Fact name={t('lastEvent')}>{last_event_at === null ? t('never') : momentTime(last_event_at)}</Fact>
      <Fact name={t('rate')}>{rate === null ? t('unlimited') : t('perSecond', { count: rate })}</Fact>
      <Fact name={t('created')}>{momentTime(created_at)}</Fact>
      {last_error !== null && (
        <Fact name={t('lastError')}>{`${last_error.message} (${last_error.code})`}</Fact>
      )}
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="untrusted min-w-0 break-words">{children}</dd>
    </>
  );
}

function Counters({ counters }: Pick<Connection, 'counters'>) {
  const names = ['received', 'sent', 'failed', 'uncertain'] as const;
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
      {names.map((name) => (
        <div key={name} className="rounded-lg border border-line bg-surface px-4 py-3">
          <dt className="text-muted text-sm">{t(name)}</dt>
          <dd className="font-semibold text-xl tabular-nums">{counters[name].toLocaleString(language)}</dd>
        </div>
      ))}
    </dl>
  );
}
