import { Phone, PhoneCall, PhoneMissed, PhoneOff, Video } from 'lucide-react';
import type { Call } from '../../api/calls';
import { Status } from '../../kit/badge';
import { messages as t } from './messages';

/** End reasons that are shown instead of the status. */
const REASONS = ['canceled', 'declined', 'busy', 'no_answer', 'connection_lost', 'max_duration'] as const;

export function CallStatus({ call }: { readonly call: Call }) {
  const { status, end_reason: reason } = call;
  if (status === 'failed') return <Status tone="danger">{t('failed')}</Status>;
  if (status === 'active')
    return (
      <Status tone="success" icon={PhoneCall}>
        {t('active')}
      </Status>
    );
  if (status !== 'ended')
    return (
      <Status tone="info" icon={PhoneCall}>
        {t('ringing')}
      </Status>
    );
  const known = REASONS.find((each) => each === reason);
  return (
    <Status tone="neutral" icon={known === 'no_answer' ? PhoneMissed : PhoneOff}>
      {t(known === undefined ? 'ended' : `end_${known}`)}
    </Status>
  );
}

export function CallType({ type }: Pick<Call, 'type'>) {
  const Icon = type === 'video' ? Video : Phone;
  return (
    <span className="flex items-center gap-1.5">
      <Icon aria-hidden className="size-4 text-muted" />
      {t(type)}
    </span>
  );
}
