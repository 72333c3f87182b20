import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Ban, Pause, Pencil, Play, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { Button, buttonLook } from '../../kit/button';
import { ConfirmDialog } from '../../kit/confirm-dialog';
import { showError, showToast } from '../../kit/toast';
import { actionMessages as t } from './action-messages';
import { ChangeActions } from './changes/change-actions';
import { changesQuery } from './changes/queries';
import { type Broadcast, isChangeable, isFinal, isRetryable, useCancel, useMove } from './queries';
import { StartBroadcast } from './start-broadcast';

type Question = 'start' | 'cancel' | 'retry';

/** The actions available in the broadcast's current state. */
export function BroadcastActions({ broadcast }: { readonly broadcast: Broadcast }) {
  const { id, status } = broadcast;
  const move = useMove(id);
  const changes = useQuery({ ...changesQuery(id), enabled: isFinal(broadcast) });
  const [asking, setAsking] = useState<Question>();
  const close = () => setAsking(undefined);
  const steer = (how: 'pause' | 'resume') =>
    move.mutate(how, {
      onError: showError,
      onSuccess: () => showToast(t(how === 'pause' ? 'wasPaused' : 'wasResumed')),
    });
  return (
    <>
      {!isFinal(broadcast) && status !== 'canceling' && (
        <Button kind="danger" onClick={() => setAsking('cancel')}>
          <Ban aria-hidden className="size-4" />
          {t('cancelBroadcast')}
        </Button>
      )}
      {status === 'sending' && (
        <Button disabled={move.isPending} onClick={() => steer('pause')}>
          <Pause aria-hidden className="size-4" />
          {t('pause')}
        </Button>
      )}
      {status === 'paused' && (
        <Button kind="primary" disabled={move.isPending} onClick={() => steer('resume')}>
          <Play aria-hidden className="size-4" />
          {t('resume')}
        </Button>
      )}
      {isChangeable(broadcast) && <BeforeStart id={id} onStart={() => setAsking('start')} />}
      {isFinal(broadcast) && <ChangeActions broadcast={broadcast} />}
      {isRetryable(broadcast) && changes.data?.length === 0 && (
        <Button onClick={() => setAsking('retry')}>
          <RotateCcw aria-hidden className="size-4" />
          {t('retry')}
        </Button>
      )}
      {asking !== undefined && <Ask about={asking} broadcast={broadcast} onClose={close} />}
    </>
  );
}

interface BeforeStartProps {
  readonly id: string;
  readonly onStart: () => void;
}

function BeforeStart({ id, onStart }: BeforeStartProps) {
  return (
    <>
      <Link to="/broadcasts/$id/edit" params={{ id }} className={buttonLook()}>
        <Pencil aria-hidden className="size-4" />
        {t('edit')}
      </Link>
      <Button kind="primary" onClick={onStart}>
        <Play aria-hidden className="size-4" />
        {t('start')}
      </Button>
    </>
  );
}

interface AskProps {
  readonly about: Question;
  readonly broadcast: Broadcast;
  readonly onClose: () => void;
}

function Ask({ about, broadcast, onClose }: AskProps) {
  if (about === 'start') return <StartBroadcast broadcast={broadcast} onClose={onClose} />;
  if (about === 'retry') return <RetryFailed broadcast={broadcast} onClose={onClose} />;
  return <CancelBroadcast id={broadcast.id} onClose={onClose} />;
}

function RetryFailed({ broadcast: { id, counts }, onClose }: Omit<AskProps, 'about'>) {
  const move = useMove(id);
  const retry = () =>
    move.mutate('retry', {
      onSuccess: () => {
        showToast(t('wasRetried'));
        onClose();
      },
    });
  return (
    <ConfirmDialog
      title={t('retryTitle', { count: counts.failed })}
      description={t('retryHelp')}
      action={t('retryNow')}
      isPending={move.isPending}
      error={move.error}
      onConfirm={retry}
      onClose={onClose}
    />
  );
}

function CancelBroadcast({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const cancel = useCancel(id);
  return (
    <ConfirmDialog
      title={t('cancelTitle')}
      description={t('cancelHelp')}
      action={t('cancelBroadcast')}
      isDanger
      isPending={cancel.isPending}
      error={cancel.error}
      onConfirm={() => cancel.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
