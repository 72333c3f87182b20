import { useState } from 'react';
import { usePermissions } from '../../api/session';
import { fullTime, momentTime } from '../../i18n/time';
import { Button } from '../../kit/button';
import { ConfirmDialog } from '../../kit/confirm-dialog';
import { Card } from '../../kit/page';
import { Table } from '../../kit/table';
import { showError, showToast } from '../../kit/toast';
import { messages as t } from './messages';
import {
  isLive,
  MAX_POINTS,
  type Point,
  type TrackingSession,
  useRecordConsent,
  useStopSession,
} from './queries';
import { coordinates } from './session-list';
import { SharePosition } from './share-position';

interface SessionDetailsProps {
  readonly session: TrackingSession;
  readonly name: string;
  /** Newest first. */
  readonly points: readonly Point[];
}

/** The details of the selected session, with the available actions. */
export function SessionDetails({ session, name, points }: SessionDetailsProps) {
  const count = t('points', { count: session.points_count });
  const until = isLive(session) ? ` · ${t('until', { time: momentTime(session.expires_at) })}` : '';
  return (
    <Card title={t('history', { name })} description={count + until}>
      <Actions session={session} name={name} />
      {points.length > 0 && (
        <Table
          label={t('history', { name })}
          rows={points}
          rowKey={({ id }) => id}
          columns={[
            { title: t('time'), cell: ({ recorded_at: at }) => fullTime(at) },
            { title: t('position'), cell: coordinates },
            { title: t('accuracy'), isMinor: true, cell: ({ accuracy }) => metres(accuracy) },
          ]}
        />
      )}
      {session.points_count > MAX_POINTS && (
        <p className="text-muted text-sm">{t('newestOnly', { count: MAX_POINTS })}</p>
      )}
    </Card>
  );
}

const metres = (accuracy: number | null): string => (accuracy === null ? '–' : `± ${Math.round(accuracy)} m`);

function Actions({ session, name }: Pick<SessionDetailsProps, 'session' | 'name'>) {
  const { canWrite } = usePermissions();
  const [isStopping, setIsStopping] = useState(false);
  const [isSharing, setIsSharing] = useState(false);
  const last = session.last_location;
  if (!canWrite) return null;
  return (
    <>
      <div className="flex flex-wrap gap-2">
        {last !== null && <Button onClick={() => setIsSharing(true)}>{t('share')}</Button>}
        {session.status === 'pending' && <Consent id={session.id} />}
        {isLive(session) && (
          <Button kind="danger" onClick={() => setIsStopping(true)}>
            {t('stop')}
          </Button>
        )}
      </div>
      {session.status === 'pending' && <p className="text-muted text-sm">{t('consentHelp', { name })}</p>}
      {isStopping && <StopSession id={session.id} name={name} onClose={() => setIsStopping(false)} />}
      {isSharing && last !== null && (
        <SharePosition userId={session.user_id} name={name} at={last} onClose={() => setIsSharing(false)} />
      )}
    </>
  );
}

function Consent({ id }: { readonly id: string }) {
  const consent = useRecordConsent(id);
  const record = (granted: boolean) => consent.mutate(granted, { onError: showError });
  return (
    <>
      <Button onClick={() => record(true)} disabled={consent.isPending}>
        {t('consented')}
      </Button>
      <Button onClick={() => record(false)} disabled={consent.isPending}>
        {t('refused')}
      </Button>
    </>
  );
}

interface StopSessionProps {
  readonly id: string;
  readonly name: string;
  readonly onClose: () => void;
}

function StopSession({ id, name, onClose }: StopSessionProps) {
  const stop = useStopSession();
  const confirm = () =>
    stop.mutate(id, {
      onSuccess: () => {
        showToast(t('wasStopped'));
        onClose();
      },
    });
  return (
    <ConfirmDialog
      title={t('stopTitle')}
      description={t('stopHelp', { name })}
      action={t('stop')}
      isDanger
      isPending={stop.isPending}
      error={stop.error}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}
