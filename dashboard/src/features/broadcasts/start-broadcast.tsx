import { useQuery } from '@tanstack/react-query';
import { explain } from '../../api/errors';
import { momentTime } from '../../i18n/time';
import { Button } from '../../kit/button';
import { Dialog } from '../../kit/dialog';
import { ErrorState, SkeletonList } from '../../kit/feedback';
import { showToast } from '../../kit/toast';
import { actionMessages as t } from './action-messages';
import { messages } from './messages';
import { type Broadcast, type DryRun, dryRunQuery, type Recipient, useMove } from './queries';
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

const whenText = ({ schedule }: Broadcast): string =>
  schedule?.mode === 'recipient_local'
    ? t('laterLocally', { time: (schedule.local_time ?? schedule.at?.slice(0, 16) ?? '').replace('T', ' ') })
    : t('later', { time: momentTime(schedule?.at ?? '') });

/** The recipients that a broadcast would reach, and those that it would skip. */
export function DryRunSummary({ dryRun }: { readonly dryRun: DryRun }) {
  const { recipients, skips, parts, eta_seconds: seconds, warnings } = dryRun;
  const skipped = Object.entries(skips).filter(([, count]) => count > 0);
  return (
    <>
      <ul className="list-disc pl-5 text-sm">
        <li>{t('willReach', { count: recipients })}</li>
        <li>{t('willSend', { count: parts })}</li>
        <li>{t('willTake', { minutes: Math.ceil(seconds / 60) })}</li>
        {skipped.map(([reason, count]) => (
          <li key={reason}>
            {t('willSkip', {
              count,
              reason: messages(`because_${reason as NonNullable<Recipient['skip_reason']>}`),
            })}
          </li>
        ))}
      </ul>
      {warnings.length > 0 && (
        <ul aria-label={t('warnings')} className="untrusted list-disc pl-5 text-sm text-warning">
          {warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      )}
    </>
  );
}
