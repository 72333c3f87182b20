import { Ban, Check, CheckCheck, CircleAlert, CircleHelp, Clock, type LucideIcon } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { usePermissions } from '../../api/session';
import { Button } from '../../kit/button';
import { degradationText } from '../../kit/degradations';
import { platformName } from '../../kit/platform';
import { Tooltip } from '../../kit/tooltip';
import { canRetry, isUncertain, useResolveDelivery, useRetryDelivery } from './delivery-changes';
import type { Delivery } from './live-messages';
import type { Message } from './message-pages';
import { messages as t } from './messages';

const MessageTrace = lazy(() => import('../../kit/trace/message-trace'));

type Status = Delivery['status'];

const ICONS: Readonly<Record<Status, LucideIcon>> = {
  queued: Clock,
  sending: Clock,
  sent: Check,
  delivered: CheckCheck,
  read: CheckCheck,
  failed: CircleAlert,
  expired: CircleAlert,
  blocked: Ban,
  uncertain: CircleHelp,
  canceled: Ban,
};

const colourOf = (status: Status): string => {
  if (status === 'failed' || status === 'expired' || status === 'blocked') return 'text-danger';
  return status === 'uncertain' ? 'text-warning' : 'text-muted';
};

/** The delivery status of a message on each platform, with actions for failed deliveries. */
export function DeliveryStates({ message }: { readonly message: Message }) {
  const [opened, open] = useState<Delivery>();
  const { deliveries } = message;
  if (deliveries.length === 0) return null;
  return (
    <>
      <ul className="flex flex-wrap items-center justify-[inherit] gap-x-3 gap-y-1">
        {deliveries.map((delivery) => (
          <li key={delivery.id} className="flex flex-wrap items-center gap-1">
            <State delivery={delivery} onOpen={() => open(delivery)} />
            <Actions delivery={delivery} />
          </li>
        ))}
      </ul>
      {opened !== undefined && (
        <Suspense>
          <MessageTrace message={message} delivery={opened} onClose={() => open(undefined)} />
        </Suspense>
      )}
    </>
  );
}

interface StateProps {
  readonly delivery: Delivery;
  readonly onOpen: () => void;
}

/** Opens the history. The reason of a failure is shown at once, because a finger cannot point at the status. */
function State({ delivery: { platform, status, error, degradations }, onOpen }: StateProps) {
  const Icon = ICONS[status];
  const failure = colourOf(status) === 'text-muted' ? undefined : error?.message;
  const lost = degradations.length > 0 && degradationText(degradations);
  const reason = [error?.message, lost].filter(Boolean).join(' · ') || t(status);
  return (
    <>
      <Tooltip text={`${platformName(platform)}: ${reason}`}>
        <button
          type="button"
          aria-haspopup="dialog"
          onClick={onOpen}
          className={`inline-flex items-center gap-1 rounded-sm text-xs hover:underline touch:-my-3 touch:min-h-10 ${colourOf(status)}`}
        >
          <Icon aria-hidden className="size-3.5" />
          {`${platformName(platform)} · ${t(status)}`}
        </button>
      </Tooltip>
      {failure !== undefined && <span className="untrusted min-w-0 break-words">{failure}</span>}
    </>
  );
}

function Actions({ delivery }: { readonly delivery: Delivery }) {
  const { canWrite } = usePermissions();
  const retry = useRetryDelivery();
  const resolve = useResolveDelivery();
  const { id } = delivery;
  if (!canWrite) return null;
  if (canRetry(delivery)) {
    return (
      <Button size="sm" disabled={retry.isPending} onClick={() => retry.mutate(id)}>
        {t('retry')}
      </Button>
    );
  }
  if (!isUncertain(delivery)) return null;
  return (
    <>
      <Button
        size="sm"
        data-uncertain
        disabled={resolve.isPending}
        onClick={() => resolve.mutate({ id, outcome: 'sent' })}
      >
        {t('arrived')}
      </Button>
      <Button
        size="sm"
        disabled={resolve.isPending}
        onClick={() => resolve.mutate({ id, outcome: 'failed' })}
      >
        {t('notArrived')}
      </Button>
    </>
  );
}
