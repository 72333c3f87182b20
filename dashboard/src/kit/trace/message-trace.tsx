import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { api, must, type Schemas } from '../../api/client';
import { usePermissions } from '../../api/session';
import { webhooksQuery } from '../../api/webhooks';
import { dayName, dayOf, duration, fullTime, preciseTime } from '../../i18n/time';
import { CopyBox } from '../copy';
import { Dialog } from '../dialog';
import { ErrorState, SkeletonList } from '../feedback';
import { PlatformBadge, platformName } from '../platform';
import { messages as t } from './messages';
import { detailOf, lookOf } from './steps';

/** Webhook attempts do not produce an event. */
const REFRESH_MS = 10_000;

/** The key includes the times of the message and its deliveries, so that each change triggers a new request. */
const traceQuery = ({ id, updated_at: at, deliveries }: Schemas['Message']) =>
  queryOptions({
    queryKey: ['message', id, 'trace', at, ...deliveries.map((delivery) => delivery.updated_at)],
    queryFn: ({ signal }) =>
      must(api.GET('/openapi/messages/{id}/trace', { params: { path: { id } }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });

interface StepsProps {
  readonly message: Schemas['Message'];
  /** Leaves out the steps of the message's other deliveries. */
  readonly delivery?: Schemas['Message']['deliveries'][number];
}

interface MessageTraceProps extends StepsProps {
  readonly onClose: () => void;
}

/** Shows the history of a message or of one of its deliveries, step by step. */
export default function MessageTrace({ message, delivery, onClose }: MessageTraceProps) {
  const title =
    delivery === undefined ? t('title') : t('deliveryTitle', { platform: platformName(delivery.platform) });
  return (
    <Dialog isOpen onClose={onClose} title={title} description={t('help')}>
      <Steps message={message} {...(delivery && { delivery })} />
      <CopyBox label={t('id')} text={message.id} />
    </Dialog>
  );
}

function Steps({ message, delivery }: StepsProps) {
  const { data, error, refetch } = useQuery(traceQuery(message));
  if (data === undefined && error !== null)
    return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <SkeletonList rows={6} />;
  const isShown = ({ delivery_id: id }: Schemas['TraceStep']) =>
    delivery === undefined || id === null || id === delivery.id;
  return (
    <>
      <StepList steps={data.steps.filter(isShown)} />
      {data.truncated && <p className="text-muted text-sm">{t('truncated')}</p>}
    </>
  );
}

function StepList({ steps }: { readonly steps: readonly Schemas['TraceStep'][] }) {
  const hosts = useWebhookHosts(steps.some(({ webhook_id: id }) => id !== null));
  if (steps.length === 0) return <p className="text-muted">{t('none')}</p>;
  return (
    <ol aria-label={t('steps')} className="flex flex-col">
      {steps.map((step, index) => (
        // Steps have no id. Only a late receipt can insert a step before one that is already shown.
        // biome-ignore lint/suspicious/noArrayIndexKey: a step keeps no state
        <Step key={index} step={step} previous={steps[index - 1]} host={hosts.get(step.webhook_id)} />
      ))}
    </ol>
  );
}

/** The hosts of the webhooks by id. Empty for members who may not see webhooks. */
function useWebhookHosts(isNeeded: boolean): ReadonlyMap<string | null, string> {
  const { canManage } = usePermissions();
  const { data = [] } = useQuery({ ...webhooksQuery, enabled: canManage && isNeeded });
  return new Map(data.map(({ id, url }) => [id, new URL(url).host]));
}

interface StepProps {
  readonly step: Schemas['TraceStep'];
  readonly previous: Schemas['TraceStep'] | undefined;
  /** The host of the step's webhook. */
  readonly host: string | undefined;
}

function Step({ step, previous, host }: StepProps) {
  const { icon: Icon, colour } = lookOf(step);
  const passed = previous && duration(Date.parse(step.at) - Date.parse(previous.at));
  const detail = [host, detailOf(step)].filter(Boolean).join(' · ');
  const isNewDay = previous === undefined || dayOf(previous.at) !== dayOf(step.at);
  return (
    <li className="flex gap-3 border-line border-l py-1.5 pl-3 first:pt-0 last:pb-0">
      <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${colour}`} />
      <div className="min-w-0 grow">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <span className="font-medium">{t(step.type)}</span>
          {step.platform !== null && <PlatformBadge platform={step.platform} />}
        </p>
        {detail !== '' && <p className="untrusted break-words text-muted text-sm">{detail}</p>}
      </div>
      <p className="flex shrink-0 flex-col items-end text-muted text-xs tabular-nums">
        {isNewDay && <span>{dayName(step.at)}</span>}
        <time dateTime={step.at} title={fullTime(step.at)}>
          {preciseTime(step.at)}
        </time>
        {passed !== undefined && <span title={t('since', { time: passed })}>+{passed}</span>}
      </p>
    </li>
  );
}
