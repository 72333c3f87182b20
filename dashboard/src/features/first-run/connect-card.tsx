import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useHasSimulators } from '../../api/simulators';
import { Status } from '../../kit/badge';
import { buttonLook } from '../../kit/button';
import { CopyBox } from '../../kit/copy';
import { ErrorState, SkeletonList } from '../../kit/feedback';
import { Card } from '../../kit/page';
import { messages as t } from './messages';
import { platformsQuery } from './queries';

const START = 'npm start -- --simulators';

export function ConnectCard() {
  const { data, error, refetch } = useQuery(platformsQuery);
  return (
    <Card title={t('connectTitle')}>
      {error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <SkeletonList rows={2} />}
      {data !== undefined && <Connect platforms={data} />}
    </Card>
  );
}

interface ConnectProps {
  readonly platforms: readonly {
    readonly name: string;
    readonly connections: readonly { readonly id: string; readonly name: string; readonly status: string }[];
  }[];
}

function Connect({ platforms }: ConnectProps) {
  const connected = platforms.flatMap(({ connections }) => connections);
  if (connected.length > 0) return <Connected connections={connected} />;
  const names = platforms.map(({ name }) => name).join(', ');
  return (
    <div className="grid gap-4 md:grid-cols-2">
      <section className="flex min-w-0 flex-col gap-2">
        <h3 className="font-medium">{t('simulators')}</h3>
        <p className="text-muted text-sm">{t('simulatorsText')}</p>
        <CopyBox label={t('command')} text={START} />
      </section>
      <section className="flex min-w-0 flex-col items-start gap-2">
        <h3 className="font-medium">{t('platforms')}</h3>
        <p className="text-muted text-sm">{t('platformsText', { names })}</p>
        <Link to="/platforms" className={buttonLook()}>
          {t('choose')}
        </Link>
      </section>
    </div>
  );
}

/** With simulators, the user can send the first message immediately. */
function Next() {
  const hasSimulators = useHasSimulators();
  return (
    <>
      {hasSimulators === true && <p className="text-muted text-sm">{t('runsWithSimulators')}</p>}
      <div className="flex flex-wrap gap-2">
        {hasSimulators === true && (
          <Link to="/simulators" className={buttonLook({ kind: 'primary' })}>
            {t('toSimulators')}
          </Link>
        )}
        <Link to="/inbox" className={buttonLook(hasSimulators === true ? {} : { kind: 'primary' })}>
          {t('toInbox')}
        </Link>
      </div>
    </>
  );
}

function Connected({
  connections,
}: {
  readonly connections: ConnectProps['platforms'][number]['connections'];
}) {
  return (
    <div className="flex flex-col items-start gap-3">
      <p className="text-muted">{t('connected')}</p>
      <ul className="flex flex-wrap gap-2">
        {connections.map(({ id, name, status }) => (
          <li key={id}>
            <Status tone={status === 'connected' ? 'success' : 'warning'}>{`${name} · ${status}`}</Status>
          </li>
        ))}
      </ul>
      <Next />
    </div>
  );
}
