import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Play, Save } from 'lucide-react';
import { useState } from 'react';
import { ApiError } from '../../../api/errors';
import { DropArea } from '../../../kit/attaching';
import { Button } from '../../../kit/button';
import { showToast } from '../../../kit/toast';
import type { Broadcast } from '../queries';
import { StartBroadcast } from '../start-broadcast';
import { useAttached } from './attached';
import { AudienceCard } from './audience-card';
import { ContentCard } from './content-card';
import { DeliveryCard } from './delivery-card';
import { DryRunCard } from './dry-run-card';
import { chosenQuery, TEMPLATES } from './found';
import { Leaving } from './leaving';
import { messages as t } from './messages';
import { bodyOf, EMPTY, isComplete, type Plan, planOf, readAddresses, variablesOf } from './plan';
import { useSave } from './queries';
import { Refusal } from './refusal';
import { RehearsalCard } from './rehearsal-card';
import { VariantsCard } from './variants-card';

/** Creates a broadcast, or edits one that has not started. */
export function Composer({ broadcast }: { readonly broadcast?: Broadcast }) {
  const [first] = useState(() => (broadcast === undefined ? EMPTY : planOf(broadcast)));
  const [plan, setPlan] = useState(first);
  const [starting, setStarting] = useState<Broadcast>();
  const { names, isMarkdown } = useContent(plan);
  const attached = useAttached(broadcast);
  const save = useSave(broadcast?.id);
  const body = bodyOf(plan, names);
  const sent = { ...body, ...attached.body };
  const isReady = isComplete(plan) && readAddresses(plan.addresses).wrongLines.length === 0;
  const leave = useLeave(broadcast === undefined);
  const keep = () =>
    save.mutate(sent, {
      onSuccess: (saved) => {
        showToast(t('saved'));
        leave(saved);
      },
    });
  const problems = save.error instanceof ApiError ? save.error.fields : {};
  const change = (part: Partial<Plan>) => setPlan((old) => ({ ...old, ...part }));
  return (
    // Changes made while saving would be lost.
    <form
      noValidate
      inert={save.isPending}
      className="flex flex-col gap-5"
      onSubmit={(event) => event.preventDefault()}
    >
      <Leaving isUnsaved={starting === undefined && (attached.isChanged || isChanged(first, plan))} />
      <DropArea label={t('content')} isEnabled onDropFiles={attached.drafts.add}>
        <ContentCard plan={plan} onChange={change} problems={problems} names={names} attached={attached} />
      </DropArea>
      <VariantsCard plan={plan} onChange={change} problems={problems} />
      <AudienceCard plan={plan} onChange={change} problems={problems} />
      <DeliveryCard plan={plan} onChange={change} problems={problems} />
      <DryRunCard body={body} isReady={isReady} plan={plan} isMarkdown={isMarkdown} files={attached.names} />
      <RehearsalCard body={sent} isReady={isReady && attached.isReady} />
      {save.isError && <Refusal error={save.error} />}
      <Actions
        isReady={isReady}
        isBusy={!isReady || !attached.isReady || save.isPending}
        onSave={keep}
        onStart={() => save.mutate(sent, { onSuccess: setStarting })}
      />
      {starting !== undefined && <StartBroadcast broadcast={starting} onClose={() => leave(starting)} />}
    </form>
  );
}

const isChanged = (first: Plan, plan: Plan): boolean => JSON.stringify(first) !== JSON.stringify(plan);

/** Opens the page of a saved broadcast. */
function useLeave(isNew: boolean) {
  const navigate = useNavigate();
  return ({ id }: Broadcast) =>
    void navigate({ to: '/broadcasts/$id', params: { id }, replace: isNew, ignoreBlocker: true });
}

interface ActionsProps {
  readonly isReady: boolean;
  readonly isBusy: boolean;
  readonly onSave: () => void;
  readonly onStart: () => void;
}

function Actions({ isReady, isBusy, onSave, onStart }: ActionsProps) {
  return (
    <div className="flex flex-wrap items-center justify-end gap-2">
      {!isReady && <p className="text-muted text-sm">{t('incomplete')}</p>}
      <Button disabled={isBusy} onClick={onSave}>
        <Save aria-hidden className="size-4" />
        {t('save')}
      </Button>
      <Button kind="primary" disabled={isBusy} onClick={onStart}>
        <Play aria-hidden className="size-4" />
        {t('saveAndStart')}
      </Button>
    </div>
  );
}

/** What is sent: the template, or the broadcast's own text, with its variables. */
function useContent({ templateId, text, contentType, variants = [] }: Plan) {
  const { data = [] } = useQuery({ ...chosenQuery(TEMPLATES, [templateId]), enabled: templateId !== '' });
  const template = data.find(({ id }) => id === templateId);
  const sent = templateId === '' ? text : (template?.text ?? '');
  return {
    names: variablesOf([sent, ...variants.map((variant) => variant.text)].join('\n')),
    isMarkdown: (template?.content_type ?? contentType) === 'markdown',
  };
}
