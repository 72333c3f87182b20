import { CircleDashed, Clock, Hourglass, type LucideIcon, Pause, Send } from 'lucide-react';
import { Status, type Tone } from '../../kit/badge';
import { messages as t } from './messages';
import type { Broadcast, Recipient } from './queries';

const TONES: Readonly<Record<Broadcast['status'], Tone>> = {
  draft: 'neutral',
  scheduled: 'info',
  preparing: 'info',
  sending: 'info',
  paused: 'warning',
  on_hold: 'warning',
  canceling: 'warning',
  completed: 'success',
  expired: 'danger',
  failed: 'danger',
  canceled: 'neutral',
};
const ICONS: Partial<Readonly<Record<Broadcast['status'], LucideIcon>>> = {
  draft: CircleDashed,
  scheduled: Clock,
  preparing: Hourglass,
  sending: Send,
  paused: Pause,
  on_hold: Pause,
};

export function BroadcastStatus({ status }: Pick<Broadcast, 'status'>) {
  const icon = ICONS[status];
  return (
    <Status tone={TONES[status]} {...(icon && { icon })}>
      {t(`is_${status}`)}
    </Status>
  );
}

const RECIPIENT_TONES: Readonly<Record<Recipient['status'], Tone>> = {
  pending: 'neutral',
  queued: 'neutral',
  sending: 'info',
  sent: 'info',
  delivered: 'success',
  read: 'success',
  failed: 'danger',
  uncertain: 'warning',
  skipped: 'neutral',
  canceled: 'neutral',
  expired: 'danger',
};

export function RecipientStatus({ status }: Pick<Recipient, 'status'>) {
  return <Status tone={RECIPIENT_TONES[status]}>{t(status)}</Status>;
}
