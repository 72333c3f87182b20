import { WifiOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useStreamState } from '../api/live';
import { useIsOnline } from '../api/online';
import { messages as t } from './messages';

const TIMEOUT_MS = 5_000;

/** Shown without a network, and when the event stream has been disconnected for a while. */
export function StreamBanner() {
  const state = useStreamState();
  const isOnline = useIsOnline();
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    setLate(false);
    if (state === 'open') return;
    const timer = setTimeout(() => setLate(true), TIMEOUT_MS);
    return () => clearTimeout(timer);
  }, [state]);
  return (
    <div role="status">
      {(isLate || !isOnline) && (
        <p className="flex items-center gap-2 bg-warning-soft px-4 py-2 text-sm text-warning">
          <WifiOff aria-hidden className="size-4 shrink-0" />
          {isOnline ? t('noStream') : t('offline')}
        </p>
      )}
    </div>
  );
}
