import { Link } from '@tanstack/react-router';
import { Ban, Pause, Pencil, Play } from 'lucide-react';
import { useState } from 'react';
import { Button, buttonLook } from '../../kit/button';
import { ConfirmDialog } from '../../kit/confirm-dialog';
import { showError, showToast } from '../../kit/toast';
import { messages as t } from './messages';
import { type Broadcast, isChangeable, isFinal, useCancel, useMove } from './queries';
import { StartBroadcast } from './start-broadcast';

/** What can be done with a broadcast in its present state. */
export function BroadcastActions({ broadcast }: { readonly broadcast: Broadcast }) {
  const { id, status } = broadcast;
  const move = useMove(id);
  const [asking, setAsking] = useState<'start' | 'cancel'>();
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
      {isChangeable(broadcast) && (
        <Link to="/broadcasts/$id/edit" params={{ id }} className={buttonLook()}>
          <Pencil aria-hidden className="size-4" />
          {t('edit')}
        </Link>
      )}
      {isChangeable(broadcast) && (
        <Button kind="primary" onClick={() => setAsking('start')}>
          <Play aria-hidden className="size-4" />
          {t('start')}
        </Button>
      )}
      {asking === 'start' && <StartBroadcast broadcast={broadcast} onClose={close} />}
      {asking === 'cancel' && <CancelBroadcast id={id} onClose={close} />}
    </>
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
