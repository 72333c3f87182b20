import { useInfiniteQuery } from '@tanstack/react-query';
import { UserX } from 'lucide-react';
import { useState } from 'react';
import type { AppGrant, OAuthApp } from '../../api/developer-paths';
import { shortTime } from '../../i18n/time';
import { Badge } from '../../kit/badge';
import { Button } from '../../kit/button';
import { ConfirmDialog } from '../../kit/confirm-dialog';
import { Dialog } from '../../kit/dialog';
import { EmptyState, ErrorState, SkeletonList } from '../../kit/feedback';
import { showToast } from '../../kit/toast';
import { messages as t } from './app-grant-messages';
import { appGrantsQuery, useRevokeAppGrant } from './oauth-app-queries';

interface AppGrantsProps {
  readonly app: OAuthApp;
  readonly onClose: () => void;
}

/** The members that have authorized an app, each with a button to revoke the authorization. */
export function AppGrants({ app, onClose }: AppGrantsProps) {
  const [asked, setAsked] = useState<AppGrant>();
  if (asked !== undefined) return <Revoke app={app} grant={asked} onClose={() => setAsked(undefined)} />;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('title', { name: app.name })}
      description={t('help')}
      actions={<Button onClick={onClose}>{t('done')}</Button>}
    >
      <Grants app={app} onAsk={setAsked} />
    </Dialog>
  );
}

interface GrantsProps {
  readonly app: OAuthApp;
  readonly onAsk: (grant: AppGrant) => void;
}

function Grants({ app, onAsk }: GrantsProps) {
  const grants = useInfiniteQuery(appGrantsQuery(app.id));
  if (grants.isPending) return <SkeletonList rows={3} />;
  if (grants.isError) return <ErrorState error={grants.error} onRetry={() => void grants.refetch()} />;
  const rows = grants.data.pages.flatMap(({ data }) => data);
  if (rows.length === 0)
    return (
      <EmptyState icon={UserX} title={t('none')}>
        {t('noneHelp')}
      </EmptyState>
    );
  return (
    <>
      <ul className="flex flex-col divide-y divide-line rounded-md border border-line">
        {rows.map((grant) => (
          <li key={grant.id} className="flex flex-wrap items-center gap-2 p-3">
            <Grant grant={grant} />
            <Button
              size="sm"
              kind="danger"
              aria-label={t('revoke', { name: grant.user.display_name })}
              onClick={() => onAsk(grant)}
            >
              {t('end')}
            </Button>
          </li>
        ))}
      </ul>
      {grants.hasNextPage && (
        <Button className="self-center" onClick={() => void grants.fetchNextPage()}>
          {t('more')}
        </Button>
      )}
    </>
  );
}

function Grant({
  grant: { user, scopes, created_at: since, expires_at: until },
}: {
  readonly grant: AppGrant;
}) {
  return (
    <div className="flex min-w-0 grow flex-col gap-1">
      <p className="untrusted font-medium">{user.display_name}</p>
      <p className="flex flex-wrap gap-1">
        {scopes.map((scope) => (
          <Badge key={scope}>{scope}</Badge>
        ))}
      </p>
      <p className="text-muted text-xs">
        {`${t('since')}: ${shortTime(since)} · ${t('until')}: ${shortTime(until)}`}
      </p>
    </div>
  );
}

function Revoke({ app, grant, onClose }: AppGrantsProps & { readonly grant: AppGrant }) {
  const revoke = useRevokeAppGrant(app.id);
  const { display_name: name } = grant.user;
  const onSuccess = () => {
    showToast(t('revoked', { name }));
    onClose();
  };
  return (
    <ConfirmDialog
      title={t('revokeTitle', { name })}
      description={t('revokeHelp')}
      action={t('end')}
      isDanger
      isPending={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate(grant.id, { onSuccess })}
      onClose={onClose}
    />
  );
}
