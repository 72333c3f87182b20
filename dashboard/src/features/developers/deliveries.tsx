import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { RefreshCw, Send } from 'lucide-react';
import { useState } from 'react';
import { usePermissions } from '../../api/session';
import { fullTime, shortTime } from '../../i18n/time';
import { Status, type Tone } from '../../kit/badge';
import { Button } from '../../kit/button';
import { EmptyState, ErrorState, SkeletonList } from '../../kit/feedback';
import { showError } from '../../kit/toast';
import { messages as t } from './webhook-messages';
import {
  answersQuery,
  deliveriesQuery,
  useRetryDelivery,
  type Webhook,
  type WebhookDelivery,
} from './webhook-queries';

/** The deliveries to the webhook in the last 30 days, with every attempt. */
export function Deliveries({ webhook }: { readonly webhook: Webhook }) {
  const deliveries = useInfiniteQuery(deliveriesQuery(webhook.id));
  if (deliveries.isPending) return <SkeletonList rows={4} />;
  if (deliveries.isError)
    return <ErrorState error={deliveries.error} onRetry={() => void deliveries.refetch()} />;
  const rows = deliveries.data.pages.flatMap(({ data }) => data);
  if (rows.length === 0)
    return (
      <EmptyState icon={Send} title={t('noDeliveries')}>
        {t('noDeliveriesHelp')}
      </EmptyState>
    );
  return (
    <>
      <ul className="flex flex-col divide-y divide-line rounded-lg border border-line bg-surface">
        {rows.map((delivery) => (
          <li key={delivery.id}>
            <Delivery delivery={delivery} />
          </li>
        ))}
      </ul>
      {deliveries.hasNextPage && (
        <Button className="self-center" onClick={() => void deliveries.fetchNextPage()}>
          {t('more')}
        </Button>
      )}
    </>
  );
}

const TONES: Readonly<Record<WebhookDelivery['status'], Tone>> = {
  pending: 'info',
  succeeded: 'success',
  dead: 'danger',
  canceled: 'neutral',
};

function Delivery({ delivery }: { readonly delivery: WebhookDelivery }) {
  const {
    event,
    event_id: eventId,
    status,
    created_at: createdAt,
    next_attempt_at: next,
    attempts,
  } = delivery;
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="group px-3 py-2" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="flex cursor-pointer flex-wrap items-center gap-x-3 gap-y-1 text-sm touch:min-h-10">
        <code className="min-w-0 grow basis-40 truncate max-sm:basis-[calc(100%-8rem)]">{event}</code>
        <Status tone={TONES[status]}>{t(`status_${status}`)}</Status>
        <span className="text-muted max-sm:grow">{t('attemptCount', { count: attempts.length })}</span>
        <time title={fullTime(createdAt)} className="text-muted">
          {shortTime(createdAt)}
        </time>
      </summary>
      <div className="flex flex-col gap-2 pt-2 pl-4 text-sm">
        <p className="break-all text-muted">{t('eventId', { id: eventId })}</p>
        {isOpen && <Attempts delivery={delivery} />}
        {next !== null && <p className="text-muted">{t('nextAttempt', { at: fullTime(next) })}</p>}
        <Retry delivery={delivery} />
      </div>
    </details>
  );
}

function Attempts({ delivery }: { readonly delivery: WebhookDelivery }) {
  const answers = useQuery(answersQuery(delivery)).data;
  return (
    <ol className="flex flex-col gap-2">
      {delivery.attempts.map((attempt) => (
        <li key={attempt.at} className="flex flex-col gap-1">
          <p className="flex flex-wrap gap-x-3">
            <time className="tabular-nums">{fullTime(attempt.at)}</time>
            <span className="font-medium">{outcomeOf(attempt)}</span>
            <span className="text-muted tabular-nums">{`${attempt.duration_ms} ms`}</span>
          </p>
          <Answer at={attempt.at} text={answers?.get(attempt.at)} />
        </li>
      ))}
    </ol>
  );
}

/** The receiver controls this text, so it is always shown as plain text. */
function Answer({ at, text }: { readonly at: string; readonly text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <section
      aria-label={t('answer', { at: fullTime(at) })}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard.
      tabIndex={0}
      className="max-h-40 overflow-y-auto rounded-md border border-line bg-canvas p-2"
    >
      <pre className="untrusted whitespace-pre-wrap font-mono text-xs">{text}</pre>
    </section>
  );
}

function outcomeOf({ status_code: code, error }: WebhookDelivery['attempts'][number]): string {
  if (code !== null) return t('answered', { code });
  return t(`error_${error ?? 'connection'}`);
}

function Retry({ delivery: { id, webhook_id: webhookId, status } }: { readonly delivery: WebhookDelivery }) {
  const { canWrite } = usePermissions();
  const retry = useRetryDelivery(webhookId);
  if (!canWrite || status === 'pending') return null;
  return (
    <Button
      size="sm"
      className="self-start"
      disabled={retry.isPending}
      onClick={() => retry.mutate(id, { onError: showError })}
    >
      <RefreshCw aria-hidden className="size-4" />
      {t('deliverAgain')}
    </Button>
  );
}
