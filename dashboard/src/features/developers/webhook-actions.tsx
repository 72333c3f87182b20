import { useNavigate } from '@tanstack/react-router';
import { KeyRound, Pause, Pencil, Play, RotateCcw, Send, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../kit/button';
import { ConfirmDialog } from '../../kit/confirm-dialog';
import { showError, showToast } from '../../kit/toast';
import { NewSecret } from './new-secret';
import { Recover } from './recover';
import { WebhookForm } from './webhook-form';
import { messages as t } from './webhook-messages';
import {
  useChangeWebhook,
  useDeleteWebhook,
  useRotateSecret,
  useTestWebhook,
  type Webhook,
} from './webhook-queries';

type Open = 'edit' | 'rotate' | 'recover' | 'delete';
const OVERLAP_S = 86_400;

export function WebhookActions({ webhook }: { readonly webhook: Webhook }) {
  const [open, setOpen] = useState<Open>();
  const test = useTestWebhook(webhook.id);
  const change = useChangeWebhook(webhook.id);
  const isEnabled = webhook.status === 'enabled';
  const sendTest = () =>
    test.mutate(undefined, { onError: showError, onSuccess: () => showToast(t('testSent')) });
  const toggle = () => change.mutate({ status: isEnabled ? 'disabled' : 'enabled' }, { onError: showError });
  return (
    <div className="flex flex-wrap gap-2">
      <Button disabled={test.isPending || !isEnabled} onClick={sendTest}>
        <Send aria-hidden className="size-4" />
        {t('sendTest')}
      </Button>
      <Button onClick={() => setOpen('edit')}>
        <Pencil aria-hidden className="size-4" />
        {t('edit')}
      </Button>
      <Button disabled={change.isPending} onClick={toggle}>
        {isEnabled ? <Pause aria-hidden className="size-4" /> : <Play aria-hidden className="size-4" />}
        {isEnabled ? t('disable') : t('enable')}
      </Button>
      <Button onClick={() => setOpen('recover')}>
        <RotateCcw aria-hidden className="size-4" />
        {t('recover')}
      </Button>
      <Button onClick={() => setOpen('rotate')}>
        <KeyRound aria-hidden className="size-4" />
        {t('rotate')}
      </Button>
      <Button kind="danger" onClick={() => setOpen('delete')}>
        <Trash2 aria-hidden className="size-4" />
        {t('delete')}
      </Button>
      <Dialogs webhook={webhook} open={open} onClose={() => setOpen(undefined)} />
    </div>
  );
}

interface DialogsProps {
  readonly webhook: Webhook;
  readonly open: Open | undefined;
  readonly onClose: () => void;
}

function Dialogs({ webhook, open, onClose }: DialogsProps) {
  if (open === 'edit') return <Edit webhook={webhook} onClose={onClose} />;
  if (open === 'rotate') return <Rotate webhook={webhook} onClose={onClose} />;
  if (open === 'recover') return <Recover webhook={webhook} onClose={onClose} />;
  if (open === 'delete') return <Delete webhook={webhook} onClose={onClose} />;
  return null;
}

type DialogProps = Omit<DialogsProps, 'open'>;

function Edit({ webhook, onClose }: DialogProps) {
  const change = useChangeWebhook(webhook.id);
  return (
    <WebhookForm
      title={t('edit')}
      action={t('save')}
      initial={webhook}
      isPending={change.isPending}
      error={change.error}
      onSubmit={(body) => change.mutate(body, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}

function Rotate({ webhook, onClose }: DialogProps) {
  const rotate = useRotateSecret(webhook.id);
  if (rotate.data !== undefined) return <NewSecret secret={rotate.data.secret ?? ''} onClose={onClose} />;
  return (
    <ConfirmDialog
      title={t('rotateTitle')}
      description={t('rotateHelp')}
      action={t('rotate')}
      isPending={rotate.isPending}
      error={rotate.error}
      onConfirm={() => rotate.mutate(OVERLAP_S)}
      onClose={onClose}
    />
  );
}

function Delete({ webhook, onClose }: DialogProps) {
  const navigate = useNavigate();
  const remove = useDeleteWebhook(webhook.id);
  const confirm = () =>
    remove.mutate(undefined, {
      onSuccess: () => {
        showToast(t('deleted'));
        void navigate({ to: '/developers/webhooks' });
      },
    });
  return (
    <ConfirmDialog
      title={t('deleteTitle')}
      description={t('deleteHelp')}
      action={t('delete')}
      isDanger
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}
