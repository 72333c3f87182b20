import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Play, Save } from 'lucide-react';
import { useState } from 'react';
import { ApiError } from '../../../api/errors';
import { Button } from '../../../kit/button';
import { showToast } from '../../../kit/toast';
import type { Broadcast } from '../queries';
import { StartBroadcast } from '../start-broadcast';
import { AudienceCard } from './audience-card';
import { ContentCard } from './content-card';
import { DeliveryCard } from './delivery-card';
import { Leaving } from './leaving';
import { messages as t } from './messages';
import { OutlookCard } from './outlook-card';
import { bodyOf, EMPTY, isComplete, type Plan, planOf, readAddresses, variablesOf } from './plan';
import { templatesQuery, useSave } from './queries';
import { Refusal } from './refusal';
import { VariantsCard } from './variants-card';

/** Writes a new broadcast, or changes one that has not begun. */
export function Composer({ broadcast }: { readonly broadcast?: Broadcast }) {
  const navigate = useNavigate();
  const [first] = useState(() => (broadcast === undefined ? EMPTY : planOf(broadcast)));
  const [plan, setPlan] = useState(first);
  const [starting, setStarting] = useState<Broadcast>();
  const names = useVariables(plan);
  const save = useSave(broadcast?.id);
  const body = bodyOf(plan, names);
  const isReady = isComplete(plan) && readAddresses(plan.addresses).wrongLines.length === 0;
  const leave = ({ id }: Broadcast) =>
    void navigate({
      to: '/broadcasts/$id',
      params: { id },
      replace: broadcast === undefined,
      // It is saved.
      ignoreBlocker: true,
    });
  const keep = () =>
    save.mutate(body, {
      onSuccess: (saved) => {
        showToast(t('saved'));
        leave(saved);
      },
    });
  const problems = save.error instanceof ApiError ? save.error.fields : {};
  const change = (part: Partial<Plan>) => setPlan((old) => ({ ...old, ...part }));
  const isBusy = !isReady || save.isPending;
  return (
    // What is written while it is saved would be lost.
    <form
      noValidate
      inert={save.isPending}
      className="flex flex-col gap-5"
      onSubmit={(event) => event.preventDefault()}
    >
      <Leaving isUnsaved={starting === undefined && isChanged(first, plan)} />
      <ContentCard plan={plan} onChange={change} problems={problems} names={names} />
      <VariantsCard plan={plan} onChange={change} problems={problems} />
      <AudienceCard plan={plan} onChange={change} problems={problems} />
      <DeliveryCard plan={plan} onChange={change} problems={problems} />
      <OutlookCard body={body} isReady={isReady} segmentIds={plan.segmentIds} />
      {save.isError && <Refusal error={save.error} />}
      <div className="flex flex-wrap items-center justify-end gap-2">
        {!isReady && <p className="text-muted text-sm">{t('incomplete')}</p>}
        <Button disabled={isBusy} onClick={keep}>
          <Save aria-hidden className="size-4" />
          {t('save')}
        </Button>
        <Button
          kind="primary"
          disabled={isBusy}
          onClick={() => save.mutate(body, { onSuccess: setStarting })}
        >
          <Play aria-hidden className="size-4" />
          {t('saveAndStart')}
        </Button>
      </div>
      {starting !== undefined && <StartBroadcast broadcast={starting} onClose={() => leave(starting)} />}
    </form>
  );
}

const isChanged = (first: Plan, plan: Plan): boolean => JSON.stringify(first) !== JSON.stringify(plan);

/** The variables of what will be sent: of the template, or of the own text. */
function useVariables({ templateId, text, variants = [] }: Plan): string[] {
  const { data } = useQuery({ ...templatesQuery, enabled: templateId !== '' });
  const template = data?.data.find(({ id }) => id === templateId);
  const sent = templateId === '' ? text : (template?.text ?? '');
  return variablesOf([sent, ...variants.map((variant) => variant.text)].join('\n'));
}
