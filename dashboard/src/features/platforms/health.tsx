import { CircleCheck, CircleX, Clock, LoaderCircle, PauseCircle, TriangleAlert } from 'lucide-react';
import { Status, type Tone } from '../../kit/badge';
import { messages as t } from './messages';
import type { Connection } from './queries';

const TONES: Readonly<Record<Connection['status'], Tone>> = {
  connected: 'success',
  connecting: 'info',
  degraded: 'warning',
  error: 'danger',
  disabled: 'neutral',
};
const ICONS = {
  connected: CircleCheck,
  connecting: LoaderCircle,
  degraded: TriangleAlert,
  error: CircleX,
  disabled: PauseCircle,
};

export function ConnectionStatus({ status }: Pick<Connection, 'status'>) {
  return (
    <Status tone={TONES[status]} icon={ICONS[status]}>
      {t(`status_${status}`)}
    </Status>
  );
}

/** The actor responsible for the fix, by health code. */
const ACTORS = {
  ok: undefined,
  connecting: undefined,
  transient: 'actorNobody',
  rate_limited: 'actorNobody',
  bad_credentials: 'actorManager',
  misconfigured: 'actorManager',
  disabled: 'actorManager',
} as const;

/** The last health report, the recommended action, and the actor responsible for it. */
export function Health({ health }: Pick<Connection, 'health'>) {
  const actor = ACTORS[health.code];
  return (
    <div className="untrusted flex flex-col gap-1 text-sm">
      <p>{health.message}</p>
      {health.fix !== null && <p className="font-medium">{health.fix}</p>}
      {actor !== undefined && (
        <p className="flex items-center gap-1 text-muted">
          <Clock aria-hidden className="size-3.5 shrink-0" />
          {t(actor)}
        </p>
      )}
    </div>
  );
}
