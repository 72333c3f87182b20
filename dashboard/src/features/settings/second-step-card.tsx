import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { SecondStep } from '../../api/session-paths';
import { shortTime } from '../../i18n/time';
import { Status } from '../../kit/badge';
import { Button } from '../../kit/button';
import { ErrorState, SkeletonList } from '../../kit/feedback';
import { Card } from '../../kit/page';
import { EnableSecondStep } from './enable-second-step';
import { DisableSecondStep, RenewCodes } from './prove-both-steps';
import { messages as t } from './second-step-messages';
import { secondStepQuery } from './second-step-queries';

/** Below this number of codes the card recommends creating new ones. */
const FEW = 3;

/** Shows whether the sign-in requires a code, with the actions to change that. */
export function SecondStepCard() {
  const secondStep = useQuery(secondStepQuery);
  return (
    <Card title={t('title')} description={t('help')}>
      {secondStep.isPending && <SkeletonList rows={1} />}
      {secondStep.isError && (
        <ErrorState error={secondStep.error} onRetry={() => void secondStep.refetch()} />
      )}
      {secondStep.isSuccess && <State secondStep={secondStep.data} />}
    </Card>
  );
}

function State({ secondStep }: { readonly secondStep: SecondStep }) {
  const [open, setOpen] = useState<'enable' | 'disable' | 'renew'>();
  const close = () => setOpen(undefined);
  const { enabled, enabled_at: since, recovery_codes_left: count } = secondStep;
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <Status tone={enabled ? 'success' : 'neutral'}>{enabled ? t('on') : t('off')}</Status>
        {enabled && (
          <p className="text-muted">
            {since !== null && t('since', { time: shortTime(since) })} {t('left', { count })}{' '}
            {count < FEW && t('fewLeft')}
          </p>
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        {enabled ? (
          <>
            <Button onClick={() => setOpen('renew')}>{t('newCodes')}</Button>
            <Button onClick={() => setOpen('disable')}>{t('turnOff')}</Button>
          </>
        ) : (
          <Button kind="primary" onClick={() => setOpen('enable')}>
            {t('turnOn')}
          </Button>
        )}
      </div>
      {open === 'enable' && <EnableSecondStep onClose={close} />}
      {open === 'disable' && <DisableSecondStep onClose={close} />}
      {open === 'renew' && <RenewCodes onClose={close} />}
    </>
  );
}
