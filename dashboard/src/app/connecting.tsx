import { useQuery } from '@tanstack/react-query';
import { WifiOff } from 'lucide-react';
import { sessionQuery } from '../api/session';
import { countUnsent } from '../features/inbox/outbox';
import { EmptyState } from '../kit/feedback';
import { messages as t } from './messages';

/** Shown when the page was opened offline. It reports the missing connection after the first failed request. */
export function Connecting() {
  const { failureCount, fetchStatus } = useQuery({ ...sessionQuery, enabled: false });
  if (failureCount === 0 && fetchStatus !== 'paused') return null;
  const count = countUnsent(localStorage);
  return (
    <main role="alert" className="flex h-dvh bg-canvas">
      <EmptyState icon={WifiOff} title={t('noConnection')}>
        <p>{t('noConnectionText')}</p>
        {count > 0 && <p>{t('unsent', { count })}</p>}
      </EmptyState>
    </main>
  );
}
