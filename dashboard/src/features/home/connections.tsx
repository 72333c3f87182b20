import { Link } from '@tanstack/react-router';
import { CircleCheck, CircleX, LoaderCircle, PauseCircle, TriangleAlert } from 'lucide-react';
import type { Home } from '../../api/home-paths';
import { usePermissions } from '../../api/session';
import { Status, type Tone } from '../../kit/badge';
import { buttonLook } from '../../kit/button';
import { Card } from '../../kit/page';
import { PlatformIcon, platformName } from '../../kit/platform';
import { messages as t } from './messages';

type Connection = Home['connections'][0];

const LOOKS = {
  error: { tone: 'danger', icon: CircleX },
  degraded: { tone: 'warning', icon: TriangleAlert },
  connecting: { tone: 'info', icon: LoaderCircle },
  connected: { tone: 'success', icon: CircleCheck },
  disabled: { tone: 'neutral', icon: PauseCircle },
} as const satisfies Record<Connection['status'], { tone: Tone; icon: unknown }>;

const ORDER = Object.keys(LOOKS);

/** Lists the connections, those in error first, with the recommended action. */
export function Connections({ connections }: Pick<Home, 'connections'>) {
  const { canManage } = usePermissions();
  const sorted = [...connections].sort((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status));
  return (
    <Card title={t('connections')}>
      {sorted.length === 0 && (
        <div className="flex flex-col items-start gap-2">
          <p className="text-muted">{t('connectionsNone')}</p>
          {canManage && (
            <Link to="/platforms" className={buttonLook()}>
              {t('connect')}
            </Link>
          )}
        </div>
      )}
      <ul className="flex flex-col divide-y divide-line">
        {sorted.map((connection) => (
          <Row key={connection.id} connection={connection} />
        ))}
      </ul>
    </Card>
  );
}

function Row({ connection: { id, name, platform, status, health } }: { readonly connection: Connection }) {
  const { tone, icon } = LOOKS[status];
  return (
    <li className="flex flex-col gap-1 py-2 first:pt-0 last:pb-0">
      <div className="flex items-center gap-3">
        <PlatformIcon platform={platform} />
        <Link to="/platforms/$id" params={{ id }} className="group/link min-w-0 grow touch:min-h-10">
          <span className="untrusted block truncate font-medium group-hover/link:underline">{name}</span>
          <span className="block truncate text-muted text-xs">{platformName(platform)}</span>
        </Link>
        <Status tone={tone} icon={icon}>
          {t(`status_${status}`)}
        </Status>
      </div>
      {(status !== 'connected' || health.fix !== null) && (
        <div className="untrusted pl-12 text-sm">
          <p className="text-muted">{health.message}</p>
          {health.fix !== null && <p className="font-medium">{health.fix}</p>}
        </div>
      )}
    </li>
  );
}
