import { CircleCheck, CircleX, Clock, MapPin } from 'lucide-react';
import { shortTime } from '../../i18n/time';
import { Status } from '../../kit/badge';
import { messages as t } from './messages';
import type { TrackingSession } from './queries';

interface SessionListProps {
  readonly rows: readonly TrackingSession[];
  readonly nameOf: (session: TrackingSession) => string;
  readonly chosenId: string | undefined;
  readonly onChoose: (id: string) => void;
}

export function SessionList({ rows, nameOf, chosenId, onChoose }: SessionListProps) {
  return (
    <ul aria-label={t('sessions')} className="flex flex-col gap-2">
      {rows.map((session) => (
        <li key={session.id}>
          <button
            type="button"
            aria-pressed={session.id === chosenId}
            aria-label={t('show', { name: nameOf(session) })}
            onClick={() => onChoose(session.id)}
            className="flex w-full flex-col gap-1 rounded-lg border border-line bg-surface p-3 text-left hover:bg-hover aria-pressed:border-accent aria-pressed:bg-selected"
          >
            <span className="flex items-center justify-between gap-2">
              <span className="untrusted min-w-0 truncate font-medium">{nameOf(session)}</span>
              <SessionStatus session={session} />
            </span>
            {session.purpose !== null && (
              <span className="untrusted truncate text-muted text-sm">{session.purpose}</span>
            )}
            <span className="text-muted text-sm">
              {session.last_location === null
                ? t('noPosition')
                : `${coordinates(session.last_location)} · ${shortTime(session.last_location.recorded_at)}`}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function SessionStatus({ session: { status, end_reason: reason } }: { readonly session: TrackingSession }) {
  if (status === 'active')
    return (
      <Status tone="success" icon={MapPin}>
        {t('active')}
      </Status>
    );
  if (status === 'pending')
    return (
      <Status tone="info" icon={Clock}>
        {t('pending')}
      </Status>
    );
  if (status === 'denied' || reason === 'revoked')
    return (
      <Status tone="neutral" icon={CircleX}>
        {t(status === 'denied' ? 'denied' : 'revoked')}
      </Status>
    );
  return (
    <Status tone="neutral" icon={CircleCheck}>
      {t(status === 'expired' ? 'expired' : 'stopped')}
    </Status>
  );
}

/** Five decimals have a precision of about one metre. */
export function coordinates({ latitude, longitude }: { latitude: number; longitude: number }): string {
  return `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;
}
