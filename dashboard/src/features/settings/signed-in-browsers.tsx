import { useQuery } from '@tanstack/react-query';
import { LogOut, Monitor, Smartphone } from 'lucide-react';
import { useState } from 'react';
import type { SignedInBrowser } from '../../api/session-paths';
import { fullTime, shortTime } from '../../i18n/time';
import { Badge } from '../../kit/badge';
import { Button } from '../../kit/button';
import { ConfirmDialog } from '../../kit/confirm-dialog';
import { ErrorState, SkeletonList } from '../../kit/feedback';
import { showError, showToast } from '../../kit/toast';
import { deviceOf } from './device';
import { sessionsQuery, useEndSessions } from './queries';
import { messages as t } from './sign-in-messages';

const PHONES: readonly (string | undefined)[] = ['iPhone', 'Android', 'iPad'];

/** Lists every session of the user, each with a button to end it. */
export function SignedInBrowsers() {
  const sessions = useQuery(sessionsQuery);
  const [isEndingOthers, setEndingOthers] = useState(false);
  if (sessions.isPending) return <SkeletonList rows={2} />;
  if (sessions.isError) return <ErrorState error={sessions.error} onRetry={() => void sessions.refetch()} />;
  return (
    <>
      <ul aria-label={t('sessions')} className="flex flex-col divide-y divide-line">
        {sessions.data.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
      {sessions.data.length > 1 && (
        <Button className="self-start" onClick={() => setEndingOthers(true)}>
          <LogOut aria-hidden className="size-4" />
          {t('signOutOthers')}
        </Button>
      )}
      {isEndingOthers && <EndOthers onClose={() => setEndingOthers(false)} />}
    </>
  );
}

function SessionRow({ session }: { readonly session: SignedInBrowser }) {
  const { browser, system } = deviceOf(session.user_agent);
  const device = nameOf(browser, system);
  const end = useEndSessions();
  const Icon = PHONES.includes(system) ? Smartphone : Monitor;
  const signOut = () =>
    end.mutate(session.id, {
      onError: showError,
      onSuccess: () => showToast(t('wasSignedOut', { device })),
    });
  return (
    <li className="flex items-center gap-3 py-2.5">
      <Icon aria-hidden className="size-5 shrink-0 text-muted" />
      <div className="min-w-0 flex-1 text-sm">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium" title={session.user_agent}>
          {device}
          {session.current && <Badge tone="success">{t('thisBrowser')}</Badge>}
        </p>
        <p className="break-words text-muted">
          {session.address} · {t('lastUsed', { time: shortTime(session.last_seen_at) })} ·{' '}
          <span title={fullTime(session.created_at)}>
            {t('signedIn', { time: shortTime(session.created_at) })}
          </span>
        </p>
      </div>
      {!session.current && (
        <Button size="sm" aria-label={t('signOutOf', { device })} disabled={end.isPending} onClick={signOut}>
          {t('signOut')}
        </Button>
      )}
    </li>
  );
}

function nameOf(browser: string | undefined, system: string | undefined): string {
  if (browser === undefined) return system ?? t('unknown');
  return system === undefined ? browser : t('onSystem', { browser, system });
}

function EndOthers({ onClose }: { readonly onClose: () => void }) {
  const end = useEndSessions();
  const confirm = () =>
    end.mutate(undefined, {
      onSuccess: () => {
        showToast(t('wereSignedOut'));
        onClose();
      },
    });
  return (
    <ConfirmDialog
      title={t('signOutOthersTitle')}
      description={t('signOutOthersHelp')}
      action={t('signOutOthers')}
      isPending={end.isPending}
      error={end.error}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}
