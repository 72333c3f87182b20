import { useQuery } from '@tanstack/react-query';
import { explain } from '../../api/errors';
import { momentTime, wallTime } from '../../i18n/time';
import { Button } from '../../kit/button';
import { Dialog } from '../../kit/dialog';
import { ErrorState, SkeletonList } from '../../kit/feedback';
import { showToast } from '../../kit/toast';
import { actionMessages as t } from './action-messages';
import { DryRunSummary } from './dry-run-summary';
import { type Broadcast, dryRunQuery, localStart, useMove } from './queries';
import { useTypedCount } from './type-count';

interface StartBroadcastProps {
  readonly broadcast: Broadcast;
  readonly onClose: () => void;
}

/** Not every platform can recall sent messages, so a dry run shows the recipients before the broadcast starts. */
export function StartBroadcast({ broadcast, onClose }: StartBroadcastProps) {
  const { id, name } = broadcast;
  const isLater = startsLater(broadcast);
  const move = useMove(id);
  const { data, error, refetch } = useQuery(dryRunQuery(broadcast));
  const { isTyped, field } = useTypedCount(data?.recipients ?? 0);
  const isReady = data !== undefined && isTyped;
  const start = () =>
    move.mutate('start', {
      onSuccess: () => {
        showToast(t(isLater ? 'wasScheduled' : 'wasStarted'));
        onClose();
      },
    });
  const actions = (
    <>
      <Button onClick={onClose}>{t('back')}</Button>
      <Button kind="primary" disabled={!isReady || move.isPending} onClick={start}>
        {t(isLater ? 'schedule' : 'startNow')}
      </Button>
    </>
  );
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('startTitle', { name })}
      description={isLater ? whenText(broadcast) : t('startHelp')}
      actions={actions}
    >
      {error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <SkeletonList rows={2} />}
      {data !== undefined && <DryRunSummary dryRun={data} />}
      {field}
      {move.isError && (
        <p role="alert" className="text-danger text-sm">
          {explain(move.error).advice}
        </p>
      )}
    </Dialog>
  );
}

/** A draft with a scheduled time waits for it. A broadcast that is already waiting starts immediately. */
const startsLater = ({ status, schedule }: Broadcast): boolean =>
  status === 'draft' &&
  (schedule?.local_time != null || (schedule?.at != null && Date.parse(schedule.at) > Date.now()));

const whenText = ({ schedule }: Broadcast): string => {
  const local = localStart(schedule);
  return local === null
    ? t('later', { time: momentTime(schedule?.at ?? '') })
    : t('laterLocally', { time: wallTime(local) });
};
