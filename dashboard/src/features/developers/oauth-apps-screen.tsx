import { useInfiniteQuery } from '@tanstack/react-query';
import { AppWindow, IdCard, KeyRound, MoreHorizontal, Pencil, Plus, Trash2, Users } from 'lucide-react';
import { useState } from 'react';
import type { OAuthApp } from '../../api/developer-paths';
import { usePermissions } from '../../api/session';
import { Badge } from '../../kit/badge';
import { Button } from '../../kit/button';
import { EmptyState, ErrorState, SkeletonList } from '../../kit/feedback';
import { Menu, MenuItem } from '../../kit/menu';
import { Table } from '../../kit/table';
import { AppGrants } from './app-grants';
import { DevelopersPage } from './developers-page';
import { AppCredentials } from './oauth-app-credentials';
import { CreateApp, DeleteApp, EditApp, RotateAppSecret } from './oauth-app-dialogs';
import { messages as t } from './oauth-app-messages';
import { appsQuery } from './oauth-app-queries';

export function OAuthAppsScreen() {
  const { canManage } = usePermissions();
  const [isCreating, setCreating] = useState(false);
  const create = (
    <Button kind="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden className="size-4" />
      {t('create')}
    </Button>
  );
  return (
    <DevelopersPage title={t('title')} description={t('help')} actions={canManage ? create : undefined}>
      {canManage ? <Apps /> : <EmptyState icon={AppWindow} title={t('managersOnly')} />}
      {isCreating && <CreateApp onClose={() => setCreating(false)} />}
    </DevelopersPage>
  );
}

type ActionName = 'credentials' | 'grants' | 'edit' | 'rotate' | 'delete';
type Action = { readonly name: ActionName; readonly app: OAuthApp };

function Apps() {
  const apps = useInfiniteQuery(appsQuery);
  const [action, setAction] = useState<Action>();
  if (apps.isPending) return <SkeletonList rows={3} />;
  if (apps.isError) return <ErrorState error={apps.error} onRetry={() => void apps.refetch()} />;
  const rows = apps.data.pages.flatMap(({ data }) => data);
  return (
    <>
      {rows.length === 0 ? (
        <EmptyState icon={AppWindow} title={t('none')}>
          {t('noneHelp')}
        </EmptyState>
      ) : (
        <Table
          label={t('title')}
          rows={rows}
          rowKey={({ id }) => id}
          columns={[
            { title: t('name'), cell: (app) => <Name app={app} /> },
            { title: t('type'), isMinor: true, cell: ({ type }) => <Badge>{t(`type_${type}`)}</Badge> },
            { title: t('redirects'), isMinor: true, cell: (app) => <Redirects app={app} /> },
            { title: t('scopes'), isMinor: true, cell: ({ scopes }) => <Scopes scopes={scopes} /> },
            { title: '', isAction: true, cell: (app) => <Actions app={app} onChoose={setAction} /> },
          ]}
        />
      )}
      {action !== undefined && <Chosen action={action} onClose={() => setAction(undefined)} />}
    </>
  );
}

function Chosen({ action, onClose }: { readonly action: Action; readonly onClose: () => void }) {
  const { name, app } = action;
  if (name === 'grants') return <AppGrants app={app} onClose={onClose} />;
  if (name === 'edit') return <EditApp app={app} onClose={onClose} />;
  if (name === 'rotate') return <RotateAppSecret app={app} onClose={onClose} />;
  if (name === 'delete') return <DeleteApp app={app} onClose={onClose} />;
  return <AppCredentials app={app} onClose={onClose} />;
}

function Name({ app: { name, client_id: clientId } }: { readonly app: OAuthApp }) {
  return (
    <div className="min-w-0">
      <p className="truncate font-medium">{name}</p>
      <p className="truncate font-mono text-muted text-xs">{clientId}</p>
    </div>
  );
}

function Redirects({ app: { redirect_uris: uris } }: { readonly app: OAuthApp }) {
  return (
    <ul className="min-w-0 max-w-64 font-mono text-xs">
      {uris.map((uri) => (
        <li key={uri} className="truncate" title={uri}>
          {uri}
        </li>
      ))}
    </ul>
  );
}

function Scopes({ scopes }: { readonly scopes: readonly string[] }) {
  return (
    <div className="flex flex-wrap gap-1">
      {scopes.map((scope) => (
        <Badge key={scope}>{scope}</Badge>
      ))}
    </div>
  );
}

interface ActionsProps {
  readonly app: OAuthApp;
  readonly onChoose: (action: Action) => void;
}

function Actions({ app, onChoose }: ActionsProps) {
  const choose = (name: ActionName) => () => onChoose({ name, app });
  const trigger = (
    <Button kind="quiet" size="icon" aria-label={t('actionsOf', { name: app.name })}>
      <MoreHorizontal aria-hidden className="size-4" />
    </Button>
  );
  return (
    <div className="flex justify-end">
      <Menu trigger={trigger}>
        <MenuItem icon={<IdCard aria-hidden />} onSelect={choose('credentials')}>
          {t('showId')}
        </MenuItem>
        <MenuItem icon={<Users aria-hidden />} onSelect={choose('grants')}>
          {t('showGrants')}
        </MenuItem>
        <MenuItem icon={<Pencil aria-hidden />} onSelect={choose('edit')}>
          {t('edit')}
        </MenuItem>
        {app.type === 'confidential' && (
          <MenuItem icon={<KeyRound aria-hidden />} onSelect={choose('rotate')}>
            {t('rotate')}
          </MenuItem>
        )}
        <MenuItem icon={<Trash2 aria-hidden />} isDanger onSelect={choose('delete')}>
          {t('delete')}
        </MenuItem>
      </Menu>
    </div>
  );
}
