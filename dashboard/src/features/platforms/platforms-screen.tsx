import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plug, Plus } from 'lucide-react';
import { usePermissions } from '../../api/session';
import { language } from '../../i18n/language';
import { shortTime } from '../../i18n/time';
import { buttonLook } from '../../kit/button';
import { EmptyState, ErrorState, SkeletonList } from '../../kit/feedback';
import { Card, Page } from '../../kit/page';
import { PlatformIcon } from '../../kit/platform';
import { Table } from '../../kit/table';
import { ConnectionStatus, Health } from './health';
import { messages as t } from './messages';
import { type Connection, connectionsQuery, type Protocol, protocolsQuery } from './queries';

export function PlatformsScreen() {
  return (
    <Page title={t('title')} description={t('description')}>
      <Connections />
      <Gallery />
    </Page>
  );
}

function Connections() {
  const { data, error, refetch } = useQuery(connectionsQuery);
  const protocols = useQuery(protocolsQuery).data ?? [];
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <SkeletonList rows={3} />;
  if (data.length === 0)
    return (
      <EmptyState icon={Plug} title={t('noConnections')}>
        {t('noConnectionsHelp')}
      </EmptyState>
    );
  const nameOf = (id: string) => protocols.find((protocol) => protocol.id === id)?.name ?? id;
  return (
    <Table
      label={t('connections')}
      rows={data}
      rowKey={({ id }) => id}
      columns={[
        {
          title: t('connection'),
          cell: (connection) => <Name connection={connection} platform={nameOf(connection.platform)} />,
        },
        { title: t('state'), cell: (connection) => <State connection={connection} /> },
        {
          title: t('received'),
          isMinor: true,
          cell: ({ counters }) => <Count count={counters.received} />,
        },
        {
          title: t('sent'),
          isMinor: true,
          cell: ({ counters }) => <Count count={counters.sent} />,
        },
        {
          title: t('failed'),
          isMinor: true,
          cell: ({ counters }) => <Count count={counters.failed + counters.uncertain} />,
        },
        {
          title: t('lastEvent'),
          isMinor: true,
          cell: ({ last_event_at }) => (last_event_at === null ? t('never') : shortTime(last_event_at)),
        },
      ]}
    />
  );
}

const Count = ({ count }: { readonly count: number }) => (
  <span className="tabular-nums">{count.toLocaleString(language)}</span>
);

function Name({ connection, platform }: { readonly connection: Connection; readonly platform: string }) {
  const { id, name, identity } = connection;
  return (
    <Link
      to="/platforms/$id"
      params={{ id }}
      className="flex min-w-0 max-w-44 items-center gap-2.5 sm:max-w-none"
    >
      <PlatformIcon platform={connection.platform} />
      <span className="min-w-0">
        <span className="block truncate font-medium hover:underline">{name}</span>
        <span className="block truncate text-muted text-xs">
          {[platform, identity?.handle ?? identity?.name].filter(Boolean).join(' · ')}
        </span>
      </span>
    </Link>
  );
}

/** For a connection that needs attention, the list shows the recommended action. */
function State({ connection: { status, health } }: { readonly connection: Connection }) {
  return (
    <div className="flex flex-col items-start gap-1">
      <ConnectionStatus status={status} />
      {(status === 'error' || status === 'degraded') && <Health health={health} />}
    </div>
  );
}

function Gallery() {
  const { canManage } = usePermissions();
  const { data, error, refetch } = useQuery(protocolsQuery);
  return (
    <section className="flex flex-col gap-3">
      <h2 className="font-semibold">{t('gallery')}</h2>
      {!canManage && <p className="text-muted">{t('managersConnect')}</p>}
      {error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <SkeletonList rows={2} />}
      <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {data?.map((protocol) => (
          <li key={protocol.id} className="flex min-w-0 *:min-w-0 *:grow *:justify-center">
            <Adapter protocol={protocol} canConnect={canManage} />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface AdapterProps {
  readonly protocol: Protocol;
  readonly canConnect: boolean;
}

function Adapter({ protocol: { id, name, version, ingress }, canConnect }: AdapterProps) {
  return (
    <Card>
      <div className="flex items-center gap-3">
        <PlatformIcon platform={id} />
        <div className="min-w-0 grow">
          <h3 className="untrusted truncate font-medium">{name}</h3>
          <p className="text-muted text-xs">
            {t('adapterFacts', { version, ingress: ingress.map((way) => t(`ingress_${way}`)).join(', ') })}
          </p>
        </div>
        {canConnect && (
          <Link
            to="/platforms/new/$platform"
            params={{ platform: id }}
            aria-label={t('connectPlatform', { name })}
            className={buttonLook({ size: 'sm' })}
          >
            <Plus aria-hidden className="size-4" />
            {t('connect')}
          </Link>
        )}
      </div>
    </Card>
  );
}
