import { useInfiniteQuery } from '@tanstack/react-query';
import { KeyRound, MoreHorizontal, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { usePermissions } from '../../api/session';
import type { ApiKey } from '../../api/session-paths';
import { fullTime, shortTime } from '../../i18n/time';
import { Badge, Status } from '../../kit/badge';
import { Button } from '../../kit/button';
import { EmptyState, ErrorState, SkeletonList } from '../../kit/feedback';
import { Menu, MenuItem } from '../../kit/menu';
import { Table } from '../../kit/table';
import { Tooltip } from '../../kit/tooltip';
import { AgentSessions } from './agent-sessions';
import { CreateKey } from './create-key';
import { DevelopersPage } from './developers-page';
import { EditKey } from './edit-key';
import { messages as grants } from './grant-messages';
import { KeyUsage } from './key-usage';
import { messages as t } from './messages';
import { keysQuery } from './queries';
import { RevokeKey } from './revoke-key';
import { presetOf } from './scopes';

const SHOWN_ADDRESSES = 2;

export function KeysScreen() {
  const { canManage } = usePermissions();
  const [isCreating, setCreating] = useState(false);
  const create = (
    <Button kind="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden className="size-4" />
      {t('createKey')}
    </Button>
  );
  return (
    <DevelopersPage
      title={t('keysTitle')}
      description={t('keysHelp')}
      actions={canManage ? create : undefined}
    >
      {canManage ? <Keys /> : <EmptyState icon={KeyRound} title={t('managersOnly')} />}
      {canManage && <AgentSessions />}
      {isCreating && <CreateKey onClose={() => setCreating(false)} />}
    </DevelopersPage>
  );
}

type Action = { readonly name: 'edit' | 'revoke'; readonly apiKey: ApiKey };

function Keys() {
  const keys = useInfiniteQuery(keysQuery);
  const [action, setAction] = useState<Action>();
  if (keys.isPending) return <SkeletonList rows={4} />;
  if (keys.isError) return <ErrorState error={keys.error} onRetry={() => void keys.refetch()} />;
  const rows = keys.data.pages.flatMap(({ data }) => data);
  if (rows.length === 0)
    return (
      <EmptyState icon={KeyRound} title={t('noKeys')}>
        {t('noKeysHelp')}
      </EmptyState>
    );
  const close = () => setAction(undefined);
  return (
    <>
      <Table
        label={t('keysTitle')}
        rows={rows}
        rowKey={({ id }) => id}
        columns={[
          { title: t('name'), cell: (apiKey) => <Name apiKey={apiKey} /> },
          { title: t('state'), cell: (apiKey) => <State apiKey={apiKey} /> },
          { title: t('scopes'), isMinor: true, cell: ({ scopes }) => <Scopes scopes={scopes} /> },
          { title: t('rateLimit'), isMinor: true, cell: (apiKey) => <KeyUsage apiKey={apiKey} /> },
          { title: t('addresses'), isMinor: true, cell: (apiKey) => <Addresses apiKey={apiKey} /> },
          { title: t('lastUsed'), isMinor: true, cell: (apiKey) => <LastUsed apiKey={apiKey} /> },
          { title: '', isAction: true, cell: (apiKey) => <Actions apiKey={apiKey} onChoose={setAction} /> },
        ]}
      />
      {keys.hasNextPage && (
        <Button className="self-center" onClick={() => void keys.fetchNextPage()}>
          {t('more')}
        </Button>
      )}
      {action?.name === 'edit' && <EditKey apiKey={action.apiKey} onClose={close} />}
      {action?.name === 'revoke' && <RevokeKey apiKey={action.apiKey} onClose={close} />}
    </>
  );
}

function Name({ apiKey: { name, environment, hint, conversation_ids } }: { readonly apiKey: ApiKey }) {
  return (
    <div className="min-w-0">
      <p className="truncate font-medium">{name}</p>
      <p className="font-mono text-muted text-xs">{`tl_${environment}_…${hint}`}</p>
      {conversation_ids !== undefined && (
        <p className="text-muted text-xs">{grants('sees', { count: conversation_ids.length })}</p>
      )}
    </div>
  );
}

function State({ apiKey: { revoked_at, expires_at, environment } }: { readonly apiKey: ApiKey }) {
  if (revoked_at !== null)
    return <Status tone="neutral">{t('revoked', { at: shortTime(revoked_at) })}</Status>;
  if (expires_at !== null && Date.parse(expires_at) <= Date.now())
    return <Status tone="warning">{t('expired', { at: shortTime(expires_at) })}</Status>;
  return (
    <div className="flex flex-wrap items-center gap-1">
      <Status tone="success">{environment === 'live' ? t('live') : t('test')}</Status>
      {expires_at !== null && (
        <span className="text-muted text-xs">{t('until', { at: shortTime(expires_at) })}</span>
      )}
    </div>
  );
}

function Scopes({ scopes }: { readonly scopes: readonly string[] }) {
  const preset = presetOf(scopes);
  const text = preset === 'custom' ? t('scopeCount', { count: scopes.length }) : t(`preset_${preset}`);
  return (
    <Tooltip text={scopes.join(', ') || t('noScopes')}>
      <button type="button" className="cursor-default">
        <Badge>{text}</Badge>
      </button>
    </Tooltip>
  );
}

function Addresses({ apiKey: { ip_allowlist: addresses } }: { readonly apiKey: ApiKey }) {
  if (addresses.length === 0) return <span className="text-muted">{t('anyAddress')}</span>;
  return (
    <ul className="max-w-40 font-mono text-xs" title={addresses.join('\n')}>
      {addresses.slice(0, SHOWN_ADDRESSES).map((address) => (
        <li key={address} className="truncate">
          {address}
        </li>
      ))}
      {addresses.length > SHOWN_ADDRESSES && (
        <li className="text-muted">{t('moreAddresses', { count: addresses.length - SHOWN_ADDRESSES })}</li>
      )}
    </ul>
  );
}

function LastUsed({ apiKey: { last_used_at } }: { readonly apiKey: ApiKey }) {
  if (last_used_at === null) return <span className="text-muted">{t('neverUsed')}</span>;
  return <time title={fullTime(last_used_at)}>{shortTime(last_used_at)}</time>;
}

interface ActionsProps {
  readonly apiKey: ApiKey;
  readonly onChoose: (action: Action) => void;
}

function Actions({ apiKey, onChoose }: ActionsProps) {
  if (apiKey.revoked_at !== null) return null;
  const trigger = (
    <Button kind="quiet" size="icon" aria-label={t('actionsOf', { name: apiKey.name })}>
      <MoreHorizontal aria-hidden className="size-4" />
    </Button>
  );
  return (
    <div className="flex justify-end">
      <Menu trigger={trigger}>
        <MenuItem icon={<Pencil aria-hidden />} onSelect={() => onChoose({ name: 'edit', apiKey })}>
          {t('edit')}
        </MenuItem>
        <MenuItem
          icon={<Trash2 aria-hidden />}
          isDanger
          onSelect={() => onChoose({ name: 'revoke', apiKey })}
        >
          {t('revoke')}
        </MenuItem>
      </Menu>
    </div>
  );
}
